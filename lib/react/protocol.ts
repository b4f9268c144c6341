import type { ErrorReason } from '../core/errors';
import type { ModelCapabilities } from '../core/model';
import type { Protocol } from '../core/run';
import type { AgentSetup } from './agent-setup';

/**
 * How a model is asked for tools. `auto` takes the API's own calls, then schema-held JSON, then text; what an API refused is
 * remembered by model, so it is asked only once per process.
 */
const refused = new Map<string, Set<'tools' | 'schemas'>>();

/** The protocol of a new run. Without tools there is nothing to ask for: native. */
export function protocolOf({ protocol, model, tools }: Pick<AgentSetup, 'protocol' | 'model' | 'tools'>): Protocol {
	if (protocol !== 'auto') return protocol;
	if (tools.length === 0 || takes(model, 'tools')) return 'native';
	return model.capabilities.responseSchema === 'yes' && takes(model, 'schemas') ? 'json' : 'text';
}

/**
 * Notes that a model's API refused tools or schemas and names the protocol to go on with; undefined when the failure was
 * another one, or when the protocol was chosen by the builder.
 */
export function rememberRefusal(
	setup: Pick<AgentSetup, 'protocol' | 'model' | 'tools'>,
	protocol: Protocol,
	reason: ErrorReason | undefined,
): { readonly refused: 'tools' | 'schemas'; readonly protocol: Protocol } | undefined {
	const what = reason === 'tools-unsupported' ? 'tools' : reason === 'schema-unsupported' ? 'schemas' : undefined;
	if (!what || setup.protocol !== 'auto' || protocol === 'text') return undefined;
	const known = refused.get(setup.model.id) ?? new Set();
	refused.set(setup.model.id, known.add(what));
	const next = protocolOf(setup);
	return next === protocol ? undefined : { refused: what, protocol: next };
}

function takes(
	model: { readonly id: string; readonly capabilities: ModelCapabilities },
	what: 'tools' | 'schemas',
): boolean {
	const said = what === 'tools' ? model.capabilities.tools : model.capabilities.responseSchema;
	return said !== 'no' && !refused.get(model.id)?.has(what);
}
