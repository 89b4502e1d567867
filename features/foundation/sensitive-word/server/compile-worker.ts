import { parentPort, workerData } from 'node:worker_threads'
import { compile } from '#sensitive-word/server/matching/matcher.ts'

const compiled = compile(workerData as string[])
const { labels, first, fail, word, count, depth, shorter } = compiled.automaton
const transferred = [labels, first, fail, word, count, depth, shorter, compiled.order].map(({ buffer }) => buffer as ArrayBuffer)
parentPort?.postMessage(compiled, transferred)
