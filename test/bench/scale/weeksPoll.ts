import { pollLife } from './weeks/triggerLives.ts';
import { measureLife } from './weeks/measureLife.ts';

export const measure = measureLife({ name: 'poll trigger', unit: 'polls', begin: pollLife });
