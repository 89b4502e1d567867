import { useEffect, useState } from 'react'
import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { useLanguage } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { PiecesView, suggest } from '#search/contract.ts'
import { searchPath } from '#search/web/search.tsx'
import type { AuthorView, suggestMembers } from '#user/contract.ts'

export type Suggestion = { key: string; to: string } & (
  | { kind: 'word' | 'tag'; text: string }
  | { kind: 'topic'; title: PiecesView }
  | { kind: 'member'; member: AuthorView }
)

const debounceMs = 150
const maxMembers = 3
const silent = { silent: true }
const none: readonly Suggestion[] = []

/** Suggestions for a text, debounced. Those for another text are never shown with it. */
export function useSuggestions(text: string | null): readonly Suggestion[] {
  const api = useApi()
  const language = useLanguage()
  const isMember = Boolean(member.use())
  const [found, setFound] = useState<{ of: string; options: readonly Suggestion[] }>({ of: '', options: none })
  useEffect(() => {
    if (text === null) return undefined
    const control = new AbortController()
    const show = (options: readonly Suggestion[]) => !control.signal.aborted && setFound({ of: text, options })
    const wait = setTimeout(
      () => {
        loadSuggestions(api, text, isMember, control.signal).then(
          (answer) => show(optionsOf(answer, language)),
          // The search works without suggestions, so a failed call is silent.
          () => show(none),
        )
      },
      text ? debounceMs : 0,
    )
    return () => {
      control.abort()
      clearTimeout(wait)
    }
  }, [api, text, isMember, language])
  return text === found.of ? found.options : none
}

type Answer = Awaited<ReturnType<typeof loadSuggestions>>

function optionsOf({ hotWords, tags, topics, members }: Answer, language: 'zh' | 'en'): Suggestion[] {
  return [
    ...hotWords.map((text): Suggestion => ({ key: `word ${text}`, kind: 'word', text, to: searchPath(text) })),
    ...tags.map(({ id, name }): Suggestion => ({ key: `tag ${id}`, kind: 'tag', text: name[language], to: `/index?tagId=${id}` })),
    ...topics.map(({ id, kind, title }): Suggestion => ({ key: `topic ${id}`, kind: 'topic', title, to: threadPath(id, kind) })),
    ...members.map((one): Suggestion => ({
      key: `member ${one.id}`,
      kind: 'member',
      member: one,
      to: `/user/control/home?userId=${one.id}`,
    })),
  ]
}

async function loadSuggestions(api: Api, keyword: string, isMember: boolean, signal: AbortSignal) {
  const [suggested, { members }] = await Promise.all([
    api.read<typeof suggest>('/search/suggest', { keyword }, { ...silent, shared: true, signal }),
    isMember && keyword && keyword.length <= 25
      ? api.read<typeof suggestMembers>('/user/suggest', { query: keyword }, { ...silent, signal })
      : { members: [] },
  ])
  return { ...suggested, members: members.slice(0, maxMembers) }
}
