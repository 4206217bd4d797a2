import { databaseTime } from '../team/activity.ts';
import { statusOf } from './sessions.ts';
import type { Session } from './sessions.ts';

const VIEWER = 'browser.example';

/** Where a session can be driven and watched; nobody listens there. */
export function sessionLinks({ id }: Session): Record<string, string> {
	return {
		cdpUrl: `ws://${VIEWER}/cdp/${id}`,
		liveViewUrl: `http://${VIEWER}/view/${id}`,
		interactiveLiveViewUrl: `http://${VIEWER}/interactive/${id}`,
	};
}

/** A session as the list shows it (recording browser-06). */
export function sessionRow(session: Session): Record<string, unknown> {
	return {
		id: session.id,
		status: statusOf(session),
		...sessionLinks(session),
		streamWebView: session.streamWebView,
		createdAt: databaseTime(session.createdAtMs),
		lastActivity: databaseTime(session.lastActivityMs),
	};
}
