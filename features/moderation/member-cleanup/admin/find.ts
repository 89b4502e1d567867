import type { Option } from '#base/admin/combobox.tsx'
import { useApi } from '#base/web/api.ts'
import type { Output } from '#base/contract.ts'
import type { memberList } from '#member/contract.ts'

type Row = Output<typeof memberList>['rows'][number]

const maxResults = 8

/** Members by the beginning of their names; `idOf` gives an option's value. */
export function useFindMembers(idOf: (one: Row) => string): (typed: string) => Promise<Option[]> {
  const api = useApi()
  return async (typed) => {
    const name = typed.trim().slice(0, 30)
    const { rows } = await api.read<typeof memberList>('/admin/member/list', name ? { name } : {}, { silent: true })
    return rows.slice(0, maxResults).map((row) => ({ id: idOf(row), name: row.nickname ?? row.account, hint: row.account }))
  }
}
