/** What a call of a parked execution is answered with, in the `message` of JSON. */
export const RECEIVED = 'Received.';
export const ALL_ENDED = 'All jobs have ended.';
export const NOT_WAITING = 'This execution does not wait for a job.';
export const NOT_LOOKED_AT = 'The jobs could not be looked at.';

/**
 * Sent with the node's own calls but the last of them: where the jobs cannot be looked at, the execution is not
 * woken for that, since the node calls again.
 */
export const PATIENT_HEADER = 'x-web-data-patient';
