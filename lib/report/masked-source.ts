import { redact, redactValue } from '../text/redact';
import type { ReportSource } from './report-source';

/** The source without secrets, but for its answer: the places of figures are those of the answer as it was written. */
export function maskedSource(source: ReportSource): ReportSource {
	const { run, documents, question, name, error, waitsFor } = source;
	const { answer, ...others } = run;
	return {
		...source,
		run: { ...redactValue(others), answer },
		...(question !== undefined && { question: redact(question) }),
		...(documents && { documents: redactValue(documents) }),
		...(name !== undefined && { name: redact(name) }),
		...(error && { error: redactValue(error) }),
		...(waitsFor !== undefined && { waitsFor: redact(waitsFor) }),
	};
}
