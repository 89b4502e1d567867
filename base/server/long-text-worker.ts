import { parentPort } from 'node:worker_threads'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { pageFrom } from '#base/rich-text/page.ts'
import type { LongTextTask } from '#base/server/long-text.ts'

parentPort?.on('message', (task: LongTextTask) => {
  parentPort?.postMessage('markdown' in task ? task.markdown.map(pageFrom) : toMarkdown(JSON.parse(task.document)), [])
})
