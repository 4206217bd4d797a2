import fc from 'fast-check';

// For `npm run test:quick`: a property that names its number of examples keeps that.
fc.configureGlobal({ numRuns: 10 });
