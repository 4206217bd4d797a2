/**
 * Where below the address of an execution the service's calls go. Other nodes that wait in the same execution are
 * called at that address itself: a late call of a job must not wake an n8n Wait node
 * (docs/n8n-internals.md#resume-address).
 */
export const CALL_PATH = 'job-ended';

/** The address to call for `resumeUrl`, which may have n8n's signature behind it. */
export function resumeUrlOf(resumeUrl: string): string {
	const url = new URL(resumeUrl);
	url.pathname = `${url.pathname.replace(/\/+$/, '')}/${CALL_PATH}`;
	return url.href;
}
