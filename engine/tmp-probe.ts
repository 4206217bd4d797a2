import { loadBuiltPackage, readWorkflowFile, runWorkflow } from './index.ts';
import { startSandbox } from '../sandbox/server.ts';
const s = await startSandbox({ speed: 50 });
const t = setTimeout(() => { console.log('still here'); }, 3000);
const r = await runWorkflow({ package: await loadBuiltPackage('/tmp/wd'), workflow: await readWorkflowFile('examples/research-by-hand.json'), credential: { baseUrl: s.baseUrl, apiKey: 'fc-sandbox' }, nodeOverrides: { Research: { parameters: { output: process.argv[2] ?? 'simplified' } } } });
clearTimeout(t);
console.log(r.run.status, r.error?.message, r.hints('Research'), r.items('Research')[0]?.binary, s.stats());
await s.stop();
