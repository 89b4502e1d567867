import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import type { topicsForStaff } from '#content/list-contract.ts'

const maxResults = 6

/** The topic with this number, then topics by words of title or text, newest first. */
export async function findTopics(
  typed: string,
  api: Api,
  [say = String]: readonly Translate[],
): Promise<{ name: string; hint?: string; to: string }[]> {
  const { rows } = await api.read<typeof topicsForStaff>('/admin/topic/list', { keyword: typed.slice(0, 90) }, { silent: true })
  const found = rows.slice(0, maxResults).map(({ id, title, author }) => ({ name: title, hint: author.name, to: placeOf(id) }))
  const [, number] = /^#?([1-9]\d{0,17})$/.exec(typed) ?? []
  return number ? [{ name: say('contentAdmin.topicNumber', { number }), to: placeOf(number) }, ...found] : found
}

function placeOf(topicId: string): string {
  return `/admin/topic/view?topicId=${topicId}`
}
