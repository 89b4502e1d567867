import { parentPort } from 'node:worker_threads'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { pageFrom } from '#base/rich-text/page.ts'
import type { LongTextTask } from '#base/server/long-text.ts'

parentPort?.on('message', (task: LongTextTask) => parentPort?.postMessage(done(task), []))

function done(task: LongTextTask): unknown {
  if ('markdown' in task) return task.markdown.map(pageFrom)
  return 'source' in task ? fromMarkdown(task.source, { hides: false }) : toMarkdown(JSON.parse(task.document))
}
