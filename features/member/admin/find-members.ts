import type { Api } from '#base/contract.ts'
import type { memberList } from '#member/contract.ts'

const shown = 5

/** Members whose names begin so, for the palette and for filters. */
export async function findMembers(typed: string, api: Api) {
  const { rows } = await api.read<typeof memberList>('/admin/member/list', { name: typed.slice(0, 30) })
  return rows.slice(0, shown).map(({ id, account, nickname }) => ({
    id,
    name: nickname ?? account,
    ...(nickname && { hint: account }),
    to: `/admin/member/view?memberId=${id}`,
  }))
}
