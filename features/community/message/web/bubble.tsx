import { memo, useRef } from 'react'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Segments } from '#base/web/html.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { MessageView, remove } from '#message/contract.ts'
import { useLongPress } from '#message/web/long-press.ts'
import { announceChange } from '#message/web/use-list.ts'
import { Hour } from '#message/web/when.tsx'
import { EnvelopeRoom } from '#red-envelope/web/red-envelope.tsx'
import css from '#message/web/bubble.module.css'

type Props = {
  message: MessageView
  /** The partner. */
  other: { id: string; name: string }
  isFirst: boolean
  isLast: boolean
  /** The page was opened at this message. */
  isFound: boolean
  forget: (id: string) => void
  report: (id: string) => void
}

/** One message: mine at the end of the line, theirs at its beginning. */
export const Bubble = memo(function OneBubble({ message, other, isFirst, isLast, isFound, forget, report }: Props) {
  const words = useWords('message')
  const text = useRef<HTMLDivElement>(null)
  const press = useLongPress()
  const { id, isMine, segments, sentAt, envelopeId } = message
  usePostTools(text, segments)
  return (
    <li
      id={`message-${id}`}
      className={css.line}
      data-mine={isMine || undefined}
      data-first={isFirst || undefined}
      data-found={isFound || undefined}
      {...press}
    >
      {isFirst && <span className="hidden">{isMine ? words('me') : other.name}</span>}
      <div className={css.bubble} data-large={(envelopeId === null && isOnlyEmoji(segments)) || undefined}>
        <div ref={text} className={css.text}>
          <Segments segments={segments} />
        </div>
        {envelopeId && <EnvelopeRoom of={{ envelopeId, isInMessage: true }} />}
      </div>
      <Actions {...{ message, other, text, forget, report }} />
      {isLast && (
        <p className={css.under}>
          <Hour at={sentAt} />
        </p>
      )}
    </li>
  )
})

type ActionsProps = Pick<Props, 'message' | 'other' | 'forget' | 'report'> & { text: { readonly current: HTMLElement | null } }

function Actions({ message: { id, isMine }, other, text, forget, report }: ActionsProps) {
  const words = useWords('message')
  const { isBusy, run } = useAction<typeof remove>('/user/control/deletePrivateMessage')

  async function deleteIt(): Promise<void> {
    if (!(await confirm(words('deleteQuestion'), words('delete')))) return
    const done = await run({ userId: other.id, messageId: id }, { onSuccess: () => announceChange(), message: words('deleted') })
    if (done !== undefined) forget(id)
  }

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text.current?.innerText.trim() ?? '')
      toast(words('copied'))
    } catch {
      toast(words('cannotCopy'))
    }
  }

  return (
    <span className={css.actions}>
      <Menu label={words('messageActions')}>
        <MenuButton onClick={() => void copy()}>{words('copy')}</MenuButton>
        <MenuButton danger disabled={isBusy} onClick={() => void deleteIt()}>
          {words('deleteMine')}
        </MenuButton>
        {!isMine && <MenuButton onClick={() => report(id)}>{words('report')}</MenuButton>}
      </Menu>
    </span>
  )
}

/** A few emoji and nothing else are shown large. */
function isOnlyEmoji(segments: MessageView['segments']): boolean {
  return (
    segments.length === 1 &&
    /^<p>(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{fe0f})(?:[\p{Emoji_Modifier}\u{fe0f}\u{200d}]|\p{Extended_Pictographic}){0,12}<\/p>$/u.test(
      segments[0]?.html ?? '',
    )
  )
}
