import { createHash } from 'node:crypto';
import type { Message, Part } from '../core/message';
import { redact } from '../text/redact';

/** A message without secrets; files keep their hash only. */
export function redactMessage(message: Message, known: readonly string[] = []): Message {
	return { role: message.role, parts: message.parts.map((part) => redactPart(part, known)) };
}

function redactPart(part: Part, known: readonly string[]): Part {
	switch (part.type) {
		case 'tool-call':
			return { ...part, argumentsText: redact(part.argumentsText, known) };
		case 'file':
			return { ...part, data: `sha256:${createHash('sha256').update(part.data).digest('hex')}` };
		default:
			return { ...part, text: redact(part.text, known) };
	}
}
