import { Container, Logger } from './n8n.ts';

/** The log that nodes write into; silent unless N8N_LOG_LEVEL says otherwise. */
export function n8nLog(): Logger {
	return Container.get(Logger);
}
