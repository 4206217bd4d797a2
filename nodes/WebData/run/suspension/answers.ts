import { SECRET_HEADER } from '../../../service/webhooks/signatureCheck';

/** What a call of a suspended execution is answered with, in the `message` of JSON. */
export const RECEIVED = 'Received.';
export const ALL_ENDED = 'All jobs have ended.';
export const NOT_WAITING = 'This execution does not wait for a job.';
export const NOT_CHECKED = 'The jobs could not be checked.';
export const WRONG_SECRET = `The header ${SECRET_HEADER} is missing or wrong.`;

/**
 * Sent with the node's own calls: where the jobs cannot be read, the execution is not resumed for that, since
 * the node calls again.
 */
export const OWN_CALL_HEADER = 'x-web-data-patient';
