import { parentPort } from 'node:worker_threads'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { pageFrom } from '#base/rich-text/page.ts'
import type { LongTextResult, LongTextTask } from '#base/server/long-text.ts'

parentPort?.on('message', (task: LongTextTask) => parentPort?.postMessage(resultOf(task), []))

// The error of a text is its own: the other tasks go on.
function resultOf(task: LongTextTask): LongTextResult {
  try {
    return { made: make(task) }
  } catch (error) {
    return { error }
  }
}

function make(task: LongTextTask): unknown {
  if ('markdown' in task) return task.markdown.map(pageFrom)
  return 'source' in task ? fromMarkdown(task.source, { hides: false }) : toMarkdown(JSON.parse(task.document))
}
