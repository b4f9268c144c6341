import type { ToolResult } from './tool';

/** Why a run ended. There is no other way to end. */
export type StoppedBy =
	| 'answer'
	| 'question'
	| 'approval'
	| 'step-limit'
	| 'time'
	| 'budget'
	| 'no-progress'
	| 'forced-answer'
	| 'aborted'
	| 'error';

/** How a model asks for tools: its API's own calls, labelled text, or one JSON object a step held to a schema. */
export type Protocol = 'native' | 'text' | 'json';

/** What a person decided about a call, and when. */
export interface Decision {
	readonly approved: boolean;
	/** ISO time. */
	readonly at: string;
	/** Who, as far as it is known. */
	readonly by?: string;
	readonly note?: string;
	/** Arguments in place of the model's; checked like those. */
	readonly arguments?: Record<string, unknown>;
}

/** One call of a step with its result. */
export interface StepCall {
	readonly callId: string;
	readonly name: string;
	/** The arguments the tool got; undefined when the call was blocked before it ran. */
	readonly input?: unknown;
	/** What a person decided, for a call that needed it. */
	readonly decision?: Decision;
	readonly result: ToolResult;
}

/** One turn of the model and what came of it. Immutable. */
export interface Step {
	/** From 1. */
	readonly number: number;
	/** The step that this one followed in what the model saw; null for the first. Steps given up make this a tree. */
	readonly parent: number | null;
	readonly thought: string;
	/** The reply by labels, in the text protocol and with full detail. */
	readonly blocks?: readonly ReplyBlock[];
	readonly calls: readonly StepCall[];
	/** The message that was sent back when the turn could not be used. */
	readonly correction?: string;
	/** The thought that the engine added after this step, against a circle. */
	readonly injected?: string;
	/** Why the branch of this step was given up; the model no longer sees it. */
	readonly abandoned?: string;
	/** The plan as this turn wrote it, with its steps done before. */
	readonly plan?: readonly RunPlanStep[];
	/** Id of the step of the plan that this turn worked on. */
	readonly planStep?: string;
	/** What that step came to, when it ended with this turn. */
	readonly planResult?: RunPlanResult;
	readonly usage: StepUsage;
	readonly durationMs: number;
}

/** A step of the plan that a run follows. */
export interface RunPlanStep {
	readonly id: string;
	readonly title: string;
	readonly task: string;
	/** Ids of steps whose results it needed. */
	readonly dependsOn: readonly string[];
	/** How to see that it is done; '' when the plan does not say. */
	readonly success: string;
	/** Absent while it is open. */
	readonly result?: RunPlanResult;
}

export interface RunPlanResult {
	readonly output: string;
	/** The step failed: `output` says why. */
	readonly failed?: boolean;
}

/** The plan of a run that planned first. */
export interface RunPlanReport {
	/** As they were at the end; the turns that wrote the plan hold what it was before. */
	readonly steps: readonly RunPlanStep[];
	/** What was odd about it and how it was put right. */
	readonly notes: readonly string[];
	/** The open steps were written anew after one failed. */
	readonly replanned: boolean;
}

export interface StepUsage {
	readonly in: number | null;
	readonly out: number | null;
	readonly cached?: number;
}

/** A document that a run read. */
export interface RunSource {
	readonly title: string;
	readonly source?: string;
}

/** A typed piece of a reply in the text protocol. */
export interface ReplyBlock {
	readonly type: string;
	readonly content: string;
}

/** Tokens of a whole run; null when no model call reported them. */
export interface RunUsage extends StepUsage {
	readonly model: string;
	/** In the currency of the price table; null when no price is known, never 0 for that reason. */
	readonly cost: number | null;
}

/** A number, date or code of an answer that is in nothing the model was given. */
export interface UnsupportedFigure {
	readonly kind: 'number' | 'date' | 'code';
	/** As written in the answer. */
	readonly text: string;
	/** Where in the answer, from 0. */
	readonly index: number;
	/** The line that it stands in, shortened. */
	readonly line: string;
}

/** What the figures check of an answer found. */
export interface FiguresCheck {
	/** Figures looked at. */
	readonly checked: number;
	readonly unsupported: readonly UnsupportedFigure[];
}

/** What a run did, as plain JSON: the `run` field of the agent's output item. */
export interface RunReport {
	readonly usage: RunUsage;
	readonly stoppedBy: StoppedBy;
	/** True when the answer was given at a cap or after a forced end. */
	readonly partial: boolean;
	readonly answer: string;
	readonly steps: readonly Step[];
	readonly startedAt: string;
	readonly durationMs: number;
	readonly firstTokenMs: number | null;
	readonly protocol: Protocol;
	/** Exactly what the model received first: system text and question. */
	readonly prompt: {
		readonly name: string;
		readonly version: number;
		/** Of instructions and tools: equal hashes mean comparable runs. */
		readonly hash: string;
		readonly system: string;
		readonly question: string;
	};
	readonly tools: readonly string[];
	/** Documents that tools gave, each once, in the order of their first use. */
	readonly sources: readonly RunSource[];
	readonly warnings: readonly string[];
	/** Present when the figures of the answer were checked. */
	readonly figures?: FiguresCheck;
	/** Present when the run planned first. */
	readonly plan?: RunPlanReport;
}

/** What happens while a run goes on. */
export type RunEvent =
	/** Comes again with the same step when the API refused the protocol. */
	| {
			readonly type: 'step-start';
			readonly step: number;
			readonly protocol: Protocol;
			/** The step of the plan at work: what the model says is not the run's answer. */
			readonly planStep?: string;
	  }
	/** A plan was written, as text for a reader. */
	| { readonly type: 'plan'; readonly step: number; readonly text: string }
	/** The step begins again with another model: text passed on so far does not count; `notice` says so to a reader. */
	| { readonly type: 'restart'; readonly step: number; readonly notice: string }
	| { readonly type: 'text-delta'; readonly step: number; readonly text: string }
	| { readonly type: 'reasoning-delta'; readonly step: number; readonly text: string }
	| { readonly type: 'tool-call'; readonly step: number; readonly callId: string; readonly name: string; readonly input: unknown }
	| { readonly type: 'tool-result'; readonly step: number; readonly result: ToolResult }
	| { readonly type: 'correction'; readonly step: number; readonly message: string }
	| { readonly type: 'end'; readonly stoppedBy: StoppedBy };
