import { z } from 'zod'
import { readThread, searchForum, type Sources } from '#assistant/server/forum.ts'
import { floorToReadFrom, searchQuery, threadId } from '#assistant/tool-contract.ts'
import type { Unread } from '#assistant/server/unread.ts'
import { Refusal } from '#base/contract.ts'
import type { Database } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'

/** The tools of a model as it is told of them. */
export const toolForms = {
  search_forum: {
    description: 'Searches topics, questions, comments and answers of this forum. Gives titles, excerpts and addresses to cite.',
    inputSchema: z.object({ query: searchQuery }),
  },
  read_thread: {
    description:
      'Reads a topic or question of this forum with the comments from a floor on. Gives Markdown with an address for each floor; what members wrote is quoted.',
    inputSchema: z.object({ topicId: threadId(null), fromFloor: floorToReadFrom }),
  },
}

type ToolContext = { database: Database; viewer: () => Promise<Viewer>; sources: Sources; unread: Unread }

/** Tool calls per answer; after that, the model answers with what it found. */
const maxToolCalls = 12

/** The tools of a model: read-only, with the viewer's current access to public pages. */
export async function toolsFor({ database: { reader }, viewer, sources, unread }: ToolContext) {
  const { tool } = await import('ai')
  let looks = 0
  // A viewer who lost the permission ends the answer; the model learns nothing of it.
  async function looking<T>(look: (as: Viewer) => Promise<T>): Promise<T | string> {
    const as = await viewer()
    return ++looks > maxToolCalls ? 'Enough has been read. Answer now.' : orNotFound(() => look(as))
  }

  return {
    search_forum: tool({
      ...toolForms.search_forum,
      execute: ({ query }) => looking((as) => searchForum(reader, as, query, sources)),
    }),
    read_thread: tool({
      ...toolForms.read_thread,
      execute: ({ topicId, fromFloor }) =>
        looking(async (as) => {
          const look = await readThread(reader, as, { topicId, fromFloor }, sources)
          unread.note(topicId, fromFloor, look)
          return look.text
        }),
    }),
  }
}

/** A search for a model without tools, made before its answer: for the question, and in the thread beside it. */
export function lookUpFor({ database: { reader }, viewer, sources, unread }: ToolContext, { prompt, topicId }: LookUpParams) {
  const query = prompt.replaceAll(/\s+/g, ' ').trim().slice(0, maxQueryLength)
  async function find(): Promise<string> {
    const as = await viewer()
    const thread = topicId === null ? null : await orNotFound(() => readThread(reader, as, { topicId, fromFloor: 1 }, sources))
    if (topicId !== null && thread !== null && typeof thread !== 'string') unread.note(topicId, 1, thread)
    const hits = await orNotFound(() => searchForum(reader, as, query, sources))
    return [JSON.stringify(hits), ...(thread === null ? [] : [typeof thread === 'string' ? thread : thread.text])].join('\n\n')
  }
  return { query, find }
}

type LookUpParams = { prompt: string; topicId: string | null }
const maxQueryLength = 60

// A missing or invisible post is an empty result for the model. Any other error is a bug.
async function orNotFound<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && error.kind.status < 500) return 'Nothing that this reader may see is there.'
    throw error
  }
}
