import type { EngineResponse, IBinaryData } from 'n8n-workflow';

import type { AgentState } from '../../react/agent-state';
import { asRecord } from '../as-record';
import type { ItemSetup } from './item-setup';

/** Where an item stands between two calls of the node: plain JSON, kept by n8n's engine. */
export type ItemProgress =
	| { readonly status: 'running'; readonly query: string; readonly state: AgentState; readonly files: readonly IBinaryData[] }
	/** `ended` is a handle of the result store. */
	| { readonly status: 'ended'; readonly ended: string }
	| { readonly status: 'failed'; readonly message: string; readonly remedy?: string };

export type RunningItem = Extract<ItemProgress, { status: 'running' }>;

/** A run that was just taken back: its token is given back when it fails before its first request to n8n. */
export type BegunItem = RunningItem & { readonly giveBack?: () => Promise<void> };

/** What travels in the metadata of an engine request. */
export interface AgentMetadata {
	readonly reactengine: 1;
	readonly items: readonly ItemProgress[];
}

/** An item after one call of the node; the setup is there when it waits for calls. */
export interface AdvancedItem {
	readonly progress: ItemProgress;
	readonly setup?: ItemSetup;
	/** The run ended with an error. */
	readonly hasFailed?: boolean;
}

/** Where each item stood when n8n was last asked to run tools; [] at the first call of the node. */
export function progressOf(response: EngineResponse): readonly ItemProgress[] {
	const { items } = asRecord(response.metadata) as Partial<AgentMetadata>;
	return items ?? [];
}
