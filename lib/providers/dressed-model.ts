import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import { guardedModel } from './guarded-model';
import { gateOf, limitedModel } from './limited-model';
import { recordedModel } from './recording/record-model';
import { regroupedModel } from './regrouped-model';
import type { ChatSettings } from './settings';
import { streamLoggedModel } from './stream-log';
import { timedModel } from './stream-timer';

/**
 * A provider's model with what all models have: limits, times in its notes, and by settings a gate before its server, a recording, a
 * stream log and a granularity. Waiting at the gate is not counted as time of the model.
 */
export function dressedModel(bare: ChatModel, provider: string, settings: ChatSettings, ports: Ports): ChatModel {
	const secrets = settings.apiKey ? [settings.apiKey] : [];
	const { recordTo, streamLog, granularity, maxConcurrent, seesPictures } = settings;
	let model = timedModel(guardedModel(seesPictures ? seeing(bare) : bare), ports.clock);
	if (recordTo) model = recordedModel(model, recordTo, ports, secrets);
	if (streamLog) model = streamLoggedModel(model, streamLog, ports, secrets);
	if (granularity) model = regroupedModel(model, granularity);
	if (!maxConcurrent) return model;
	return limitedModel(model, gateOf(`${provider} ${settings.baseUrl ?? ''} ${settings.preset ?? ''}`, maxConcurrent));
}

function seeing(model: ChatModel): ChatModel {
	return { id: model.id, capabilities: { ...model.capabilities, images: 'yes' }, stream: (request, signal) => model.stream(request, signal) };
}
