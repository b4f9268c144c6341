/**
 * Suite `agent-overhead`: what the loop adds to each step of an agent, the model taking no time.
 *
 * A local server speaks OpenAI's wire format: it asks for one calculation after the other, then answers. Compared per step, ten and
 * twenty steps in one run each (the difference of the two, divided by ten, leaves out what a run costs once):
 * - in this process: a bare fetch loop that streams, and the engine in direct mode with its OpenAI-compatible provider (`libRatio`);
 * - in a real n8n: ReAct Agent with Chat Model, and n8n's AI Agent 3.1 with its OpenAI model, both with our General Toolkit (`ratio`).
 *   n8n's agent with our model, and ours with n8n's, are given too.
 *
 * Rounds of all subjects alternate; the medians are compared. `bytes` is the size of the last request of a run of twenty steps.
 * `cpuMsPerStep` is the processor's time of the process that runs the subject (this one, or n8n's), which other load on the machine
 * changes less than the clock's; on systems without /proc it is 0 for n8n.
 * `rssGrowthMb` is how much this process grows over 1,000 runs of the engine, after 300 to warm up.
 */
import { startFakeModel } from './agent-overhead/fake-model.mjs';
import { startN8nSubjects } from './agent-overhead/n8n-subjects.mjs';
import { fetchLoop, libRun } from './agent-overhead/in-process.mjs';

const FEW = 10;
const MANY = 20;

/** @param n  rounds in n8n; ten times as many in this process */
export async function run({ n = 15, say }) {
	const model = await startFakeModel();
	try {
		const inProcess = await compare({ fetch: (steps) => fetchLoop(model.url, steps), lib: (steps) => libRun(model.url, steps) }, { rounds: n * 10, model, cpuMs: ownCpuMs });
		say(`per step: fetch ${inProcess.ms.fetch} ms, engine ${inProcess.ms.lib} ms`);
		const rssGrowthMb = await growth(() => libRun(model.url, FEW));
		say(`1,000 runs of the engine: ${rssGrowthMb} MB more`);
		const subjects = await startN8nSubjects(model.url, say);
		try {
			const inN8n = await compare(subjects.run, { rounds: n, model, cpuMs: subjects.cpuMs });
			for (const [name, ms] of Object.entries(inN8n.ms)) say(`per step in n8n: ${name} ${ms} ms, ${inN8n.msRun[name]} ms a run of ${MANY}`);
			return report(inProcess, inN8n, rssGrowthMb);
		} finally {
			await subjects.stop();
		}
	} finally {
		await model.stop();
	}
}

function report(inProcess, inN8n, rssGrowthMb) {
	const { node, n8n, ...others } = inN8n.ms;
	return {
		fetchMsPerStep: inProcess.ms.fetch,
		libMsPerStep: inProcess.ms.lib,
		libRatio: round(inProcess.ms.lib / inProcess.ms.fetch),
		nodeMsPerStep: node,
		n8nMsPerStep: n8n,
		ratio: round(node / n8n),
		others,
		cpuMsPerStep: { ...inProcess.cpu, ...inN8n.cpu },
		libRatioCpu: round(inProcess.cpu.lib / inProcess.cpu.fetch),
		ratioCpu: round(inN8n.cpu.node / inN8n.cpu.n8n),
		msRunOf20: { ...inProcess.msRun, ...inN8n.msRun },
		bytes: { ...inProcess.bytes, ...inN8n.bytes },
		rssGrowthMb,
	};
}

/** Runs all subjects in turn, so that what else the machine does hits all of them alike; a fifth more rounds come first to warm up. */
async function compare(subjects, { rounds, model, cpuMs }) {
	const names = Object.keys(subjects);
	const figures = Object.fromEntries(names.map((name) => [name, { ms: { [FEW]: [], [MANY]: [] }, cpu: { [FEW]: 0, [MANY]: 0 }, bytes: 0 }]));
	for (let turn = -Math.ceil(rounds / 5); turn < rounds; turn++) {
		for (const name of names) {
			for (const steps of [FEW, MANY]) {
				const cpuFrom = cpuMs();
				const from = performance.now();
				await subjects[name](steps);
				if (turn < 0) continue;
				figures[name].ms[steps].push(performance.now() - from);
				figures[name].cpu[steps] += cpuMs() - cpuFrom;
			}
			figures[name].bytes = model.lastBytes();
		}
	}
	const of = (read) => Object.fromEntries(names.map((name) => [name, read(figures[name])]));
	return {
		ms: of(({ ms }) => round((median(ms[MANY]) - median(ms[FEW])) / (MANY - FEW))),
		cpu: of(({ cpu }) => round((cpu[MANY] - cpu[FEW]) / rounds / (MANY - FEW))),
		msRun: of(({ ms }) => round(median(ms[MANY]))),
		bytes: of(({ bytes }) => bytes),
	};
}

function ownCpuMs() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

async function growth(work) {
	for (let runs = 0; runs < 300; runs++) await work();
	const before = rss();
	for (let runs = 0; runs < 1000; runs++) await work();
	return round(rss() - before);
}

function rss() {
	global.gc?.();
	return process.memoryUsage().rss / 2 ** 20;
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
	return Math.round(value * 100) / 100;
}
