import type { Editor } from '@tiptap/core'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isComposing } from '#base/web/composing.ts'
import { anchorToLine, type Line } from '#base/editor/line-anchor.ts'
import { useLatest } from '#base/editor/latest.ts'
import { insertMention, type MentionQuery, type MentionState } from '#base/editor/mention-state.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/mention-list.module.css'

export type SuggestedMember = { id: string; name: string; avatar: string | null }
export type Suggest = (query: string) => Promise<readonly SuggestedMember[]>

type MentionListProps = { editor: Editor; mentions: MentionState; suggest: Suggest }

const debounceMs = 120
const maxSuggestions = 6

/** Suggested members for the text after an @, below the cursor. */
export function MentionList({ editor, mentions, suggest }: MentionListProps) {
  const words = useWords('editor')
  const mention = mentions.use()
  const id = useId()
  const members = useSuggestions(mention, suggest)
  const { place, choose, take } = useChoice(editor, mentions, members)
  useAnnouncement(editor, members && id, members?.length ? `${id}-${place}` : null)
  const isOpen = mention !== null && members !== null
  const list = useRef<HTMLDivElement>(null)
  const line = useLatest(() => mention && lineOf(editor, mention))
  useLayoutEffect(() => {
    if (!isOpen || !list.current) return undefined
    list.current.showPopover()
    return anchorToLine(list.current, () => line.current())
  }, [isOpen, line, mention?.from])
  if (!isOpen) return null
  return (
    // Above the editor, and clipped by none of its ancestors.
    <div ref={list} popover="manual" className={css.list} id={id} role="listbox" aria-label={words('members')}>
      {members.length === 0 && <p className={css.nobody}>{words('nobodyFound')}</p>}
      {members.map((member, at) => (
        <div
          key={member.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === place}
          className={css.member}
          onMouseMove={() => choose(at)}
          onMouseDown={(event) => {
            event.preventDefault()
            take(at)
          }}
        >
          {member.avatar ? <img src={member.avatar} alt="" width="28" height="28" /> : <AvatarLetter of={member.name} />}
          <b>{member.name}</b>
        </div>
      ))}
    </div>
  )
}

function AvatarLetter({ of }: { of: string }) {
  return (
    <span className={css.letter} aria-hidden="true">
      {[...of][0]}
    </span>
  )
}

/** The chosen member, by keys that the editor forwards; Esc dismisses the list for this @. */
function useChoice(editor: Editor, mentions: MentionState, members: readonly SuggestedMember[] | null) {
  const [choice, setChoice] = useState<{ of: readonly SuggestedMember[] | null; at: number }>({ of: null, at: 0 })
  const place = choice.of === members ? choice.at : 0
  const choose = (at: number) => setChoice({ of: members, at })

  function take(at: number): boolean {
    const mention = mentions.get()
    const member = members?.[at]
    if (mention && member) insertMention(editor, mention, member)
    return member !== undefined
  }

  useLayoutEffect(() =>
    mentions.setKeyHandler((event) => {
      if (!members || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return false
      const length = members.length || 1
      if (event.key === 'Escape') mentions.dismiss()
      else if (event.key === 'ArrowDown') choose((place + 1) % length)
      else if (event.key === 'ArrowUp') choose((place - 1 + length) % length)
      else return (event.key === 'Enter' || event.key === 'Tab') && take(place)
      return true
    }),
  )
  return { place, choose, take }
}

type MentionMatches = { from: number; query: string; members: readonly SuggestedMember[] }

/** The members found so far, or null while there is nothing to show. Late answers are ignored. */
function useSuggestions(mention: MentionQuery | null, suggest: Suggest): readonly SuggestedMember[] | null {
  const [found, setFound] = useState<MentionMatches | null>(null)
  const latest = useLatest(suggest)
  const { query, from } = mention ?? { query: '', from: -1 }
  useEffect(() => {
    if (!query) return undefined
    let isLate = false
    const tell = (members: readonly SuggestedMember[]) => !isLate && setFound({ from, query, members: members.slice(0, maxSuggestions) })
    const wait = setTimeout(() => {
      // Without suggestions a mention is plain text, so a failure needs no message.
      latest.current(query).then(tell, () => !isLate && setFound(null))
    }, debounceMs)
    return () => {
      isLate = true
      clearTimeout(wait)
    }
  }, [query, from, latest])
  return useMemo(() => (query && found?.from === from ? membersFor(query, found) : null), [query, from, found])
}

// Until the results for more letters arrive, some of the earlier ones may still match.
function membersFor(query: string, { query: matchedQuery, members }: MentionMatches): readonly SuggestedMember[] | null {
  if (query === matchedQuery) return members
  const fitting = members.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  return fitting.length > 0 ? fitting : null
}

/** Announces the chosen member to screen readers while the cursor stays in the text. */
function useAnnouncement(editor: Editor, list: string | null, option: string | null): void {
  useEffect(() => {
    const { dom } = editor.view
    if (list) dom.setAttribute('aria-controls', list)
    else dom.removeAttribute('aria-controls')
    if (option) dom.setAttribute('aria-activedescendant', option)
    else dom.removeAttribute('aria-activedescendant')
  }, [editor, list, option])
}

// A name may wrap while it is typed.
function lineOf(editor: Editor, { from, to }: MentionQuery): Line {
  const last = editor.state.doc.content.size
  const { top, left } = editor.view.coordsAtPos(Math.min(from, last))
  return { top, left, bottom: editor.view.coordsAtPos(Math.min(to, last)).bottom }
}
