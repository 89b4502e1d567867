import type { ReadyForum } from './forum.ts'
import { coldRows, warmRows } from './requests.ts'
import type { LoadRequest } from './wrk.ts'

// How many of a hundred requests are of the rows with this in their name.
const parts: [name: string, of100: number][] = [
  ['kept', 40],
  ['/index, made anew', 10],
  ['/thread, made anew', 15],
  ['/api/thread, from', 10],
  ['/api/comment/list', 10],
  ['/api/search', 5],
  ['/api/user', 4],
  ['mine', 4],
  ['post', 2],
]

export type Mix = readonly { of100: number; asks: readonly LoadRequest[] }[]

/** A mix of everything that a forum is asked for. */
export async function mixOf(forum: ReadyForum): Promise<Mix> {
  const rows = [...warmRows(forum), ...(await coldRows(forum))]
  return parts.map(([name, of100]) => ({ of100, asks: rows.flatMap(([row, asks]) => (row.includes(name) ? asks : [])) }))
}

/** One request of a mix, by chance. */
export function oneOf(mix: Mix): LoadRequest {
  let at = Math.random() * 100
  const asks = mix.find(({ of100 }) => (at -= of100) < 0)?.asks ?? []
  const found = asks[Math.floor(Math.random() * asks.length)]
  if (!found) throw new Error('A part of the mix is empty')
  return found
}
