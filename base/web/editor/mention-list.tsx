import type { Editor } from '@tiptap/core'
import { useEffect, useId, useRef, useState } from 'react'
import { insertMention, type Asked, type Asking } from '#base/web/editor/mention-asking.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/editor/mention-list.module.css'

export type Suggested = { id: string; name: string; account: string; avatar: string | null }
export type Suggest = (query: string) => Promise<readonly Suggested[]>

const patienceMs = 120
const most = 6

/** The members who may be meant by what stands after an @, under the cursor. */
export function MentionList({ editor, asking, suggest }: { editor: Editor; asking: Asking; suggest: Suggest }) {
  const words = useWords('editor')
  const asked = asking.use()
  const id = useId()
  const [refused, setRefused] = useState<number | null>(null)
  const found = useFound(asked, suggest)
  const [chosen, setChosen] = useState(0)
  const isOpen = asked !== null && asked.query !== '' && asked.from !== refused && found !== null
  const place = Math.min(chosen, (found?.length ?? 1) - 1)

  function take(at: number): boolean {
    const member = found?.[at]
    if (asked && member) insertMention(editor, asked, member)
    return member !== undefined
  }

  asking.takesKey = (event) => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
    const length = found.length || 1
    if (event.key === 'Escape') setRefused(asked.from)
    else if (event.key === 'ArrowDown') setChosen((place + 1) % length)
    else if (event.key === 'ArrowUp') setChosen((place - 1 + length) % length)
    else return (event.key === 'Enter' || event.key === 'Tab') && take(place)
    return true
  }

  useEffect(() => setChosen(0), [found])
  useTold(editor, isOpen ? id : null, isOpen && found.length > 0 ? `${id}-${place}` : null)
  if (!isOpen) return null
  return (
    <div className={css.list} style={placeOf(editor, asked)} id={id} role="listbox" aria-label={words('members')}>
      {found.length === 0 && <p className={css.nobody}>{words('nobodyFound')}</p>}
      {found.slice(0, most).map((member, at) => (
        <div
          key={member.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === place}
          className={css.member}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => setChosen(at)}
          onClick={() => take(at)}
        >
          {member.avatar ? (
            <img src={member.avatar} alt="" width="28" height="28" />
          ) : (
            <span className={css.letter}>{[...member.name][0]}</span>
          )}
          <b>{member.name}</b>
          {member.account !== member.name && <span className={css.account}>@{member.account}</span>}
        </div>
      ))}
    </div>
  )
}

/** What was found for the letters so far; answers that come late are for nobody. */
function useFound(asked: Asked | null, suggest: Suggest): readonly Suggested[] | null {
  const [found, setFound] = useState<readonly Suggested[] | null>(null)
  const ask = useRef(suggest)
  ask.current = suggest
  const query = asked?.query ?? ''
  useEffect(() => {
    let isLate = false
    if (!query) setFound(null)
    const wait = setTimeout(() => {
      // Without suggestions a mention is still text, so a failed call needs no message of its own.
      if (query)
        void ask.current(query).then(
          (members) => !isLate && setFound(members.slice(0, most)),
          () => !isLate && setFound(null),
        )
    }, patienceMs)
    return () => {
      isLate = true
      clearTimeout(wait)
    }
  }, [query])
  return found
}

/** Tells screen readers which member is chosen while the cursor stays in the text. */
function useTold(editor: Editor, list: string | null, option: string | null): void {
  useEffect(() => {
    const { dom } = editor.view
    if (list) dom.setAttribute('aria-controls', list)
    else dom.removeAttribute('aria-controls')
    if (option) dom.setAttribute('aria-activedescendant', option)
    else dom.removeAttribute('aria-activedescendant')
  }, [editor, list, option])
}

function placeOf(editor: Editor, { from }: Asked): { left: number; top: number } {
  const frame = editor.view.dom.parentElement?.parentElement?.getBoundingClientRect()
  const { left, bottom } = editor.view.coordsAtPos(Math.min(from, editor.state.doc.content.size))
  const widest = (frame?.width ?? 0) - 288
  return { left: Math.max(0, Math.min(left - (frame?.left ?? 0), widest)), top: bottom - (frame?.top ?? 0) + 6 }
}
