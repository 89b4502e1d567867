import { parentPort, workerData } from 'node:worker_threads'
import { make } from '#sensitive-word/server/matching/matcher.ts'

const made = make(workerData as string[])
const { labels, first, fail, word, count, depth, shorter } = made.automaton
const moved = [labels, first, fail, word, count, depth, shorter, made.order].map(({ buffer }) => buffer as ArrayBuffer)
parentPort?.postMessage(made, moved)
