import type { Api } from '#base/contract.ts'
import type { memberList } from '#member/contract.ts'

const maxResults = 5

/** Members for the palette and for filters: names that begin with the text first, then those that contain it. */
export async function findMembers(typed: string, api: Api) {
  const name = typed.slice(0, 30)
  const ask = (names: 'part' | 'beginning') => api.read<typeof memberList>('/admin/member/list', { name, names })
  const [begin, hold] = await Promise.all([ask('beginning'), ask('part')])
  const found = new Map([...begin.rows, ...hold.rows].map((row) => [row.id, row]))
  return [...found.values()].slice(0, maxResults).map(({ id, account, nickname }) => ({
    id,
    name: nickname ?? account,
    ...(nickname && { hint: account }),
    to: `/admin/member/view?memberId=${id}`,
  }))
}
