export { findOperation } from '../resources';
export type { RunContext } from './connection/runContext';
export { execute } from './execute';
export { isConstant } from './input/parameters';
export { noteCrash } from './memory/crashRecovery';
export { count, hint, named } from './output/hintText';
