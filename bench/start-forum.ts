import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { BenchForumOptions, ReadyForum, State } from './forum.ts'
import type { Statement } from './statements.ts'

export type RunningForum = {
  forum: ReadyForum
  state(): Promise<State>
  /** The statements of the forum during `action`. */
  statementsOf(action: () => Promise<unknown>): Promise<Statement[]>
  stop(): Promise<void>
}

/** Starts a forum in a process of its own, and waits for its first page. */
export async function startForum(options: BenchForumOptions): Promise<RunningForum> {
  const child = fork(new URL('forum.ts', import.meta.url), [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const forum = await nextMessage<ReadyForum>(child)
  return {
    forum,
    state() {
      child.send('state')
      return nextMessage<State>(child)
    },
    async statementsOf(action) {
      child.send('record')
      await action()
      child.send('statements')
      return nextMessage<Statement[]>(child)
    },
    async stop() {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((hear, fail) => {
    const ended = () => fail(new Error('The forum ended before it answered'))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      hear(message as T)
    })
  })
}
