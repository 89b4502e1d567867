import { Link } from '#base/web/link.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useTranslate, useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'
import { declarationOf, reasonOf, sentenceOf } from '#notification/all-kinds.ts'
import type { NotificationView } from '#notification/notification-contract.ts'
import { namesIn } from '#notification/notification-words.ts'
import css from '#notification/web/notice.module.css'

/** The reason for a notification, linked to its setting. */
export function ReasonLink({ of: notification }: { of: NotificationView }) {
  const translate = useTranslate()
  return <MenuLink to={choiceOf(notification)}>{translate(reasonOf(notification.kind), useValues(notification))}</MenuLink>
}

function choiceOf({ kind, post }: NotificationView): string {
  return declarationOf(kind).chosenAt?.(post?.kind) ?? '/user/control/remindSettings'
}

/** A notification in one sentence, and its link. */
export function useNotificationLine(notification: NotificationView): { says: string; to: string | null } {
  const translate = useTranslate()
  return { says: translate(sentenceOf(notification.kind), useValues(notification)), to: wayOf(notification) }
}

/** A notification in the reader's language, with its link. */
export function NotificationSentence({ notification, follow }: { notification: NotificationView; follow: () => void }) {
  const { says, to } = useNotificationLine(notification)
  const { post } = notification
  return (
    <>
      <p className={css.sentence}>
        {to ? (
          <Link to={to} onClick={follow}>
            {says}
          </Link>
        ) : (
          says
        )}
      </p>
      {post && <p className={`meta ${css.post}`}>{post.title}</p>}
      {post?.excerpt && <p className={css.excerpt}>{post.excerpt}</p>}
    </>
  )
}

function useValues({ post, members, people }: NotificationView): Record<string, string | number> {
  const words = useWords('notification')
  const word = usePostWord()
  const who = words('who', namesIn({ members, people }))
  if (!post) return { who, people }
  const { kind, thread } = post
  return {
    who,
    people,
    kind,
    thread,
    what: word({ kind, thread }),
    remark: word({ kind: 'comment', thread }),
    opening: word({ kind: 'topic', thread }),
  }
}

function wayOf({ post, members }: NotificationView): string | null {
  if (post) return postPath(post)
  return members[0] ? `/user/control/home?userId=${members[0].id}` : null
}
