import { webhookLife } from './weeks/triggerLives.ts';
import { measureLife } from './weeks/measureLife.ts';

export const measure = measureLife({ name: 'webhook trigger', unit: 'calls', begin: webhookLife });
