import type { Api } from '#base/contract.ts'
import type { topicsForStaff } from '#content/contract.ts'

const shown = 6

/** Topics by words of their title or text, newest first. */
export async function findTopics(typed: string, api: Api): Promise<{ name: string; hint: string; to: string }[]> {
  const { rows } = await api.read<typeof topicsForStaff>('/admin/topic/list', { keyword: typed.slice(0, 90) }, { silent: true })
  return rows.slice(0, shown).map(({ id, title, author }) => ({ name: title, hint: author.name, to: `/admin/topic/view?topicId=${id}` }))
}
