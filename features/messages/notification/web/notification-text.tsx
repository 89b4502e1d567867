import { Link } from '#base/web/link.tsx'
import { MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'
import type { NotificationKind, NotificationView } from '#notification/notification-contract.ts'
import { namesIn, sentences } from '#notification/notification-words.ts'
import css from '#notification/web/notice.module.css'

const whys: Record<NotificationKind, string> = {
  mentioned: 'whyMentioned',
  commented: 'whyCommented',
  repliedInThread: 'whyRepliedInThread',
  quoted: 'whyQuoted',
  replied: 'whyReplied',
  replyAnswered: 'whyReplyAnswered',
  repliedBeside: 'whyRepliedBeside',
  watched: 'whyWatched',
  followedWrote: 'whyFollowedWrote',
  liked: 'whyLiked',
  accepted: 'whyAccepted',
  bountyEnding: 'whyBountyEnding',
  unlocked: 'whyUnlocked',
  followed: 'whyFollowed',
  welcome: 'whyWelcome',
}

/** The reason for a notification, linked to its setting. */
export function ReasonLink({ of: notification }: { of: NotificationView }) {
  const words = useWords('notification')
  return <MenuLink to={choiceOf(notification)}>{words(whys[notification.kind], useValues(notification))}</MenuLink>
}

function choiceOf({ kind, post }: NotificationView): string {
  if (kind === 'followedWrote') return '/user/control/followList'
  if (kind !== 'watched') return '/user/control/remindSettings'
  return `/user/control/followList?of=${post?.kind === 'topic' ? 'tag' : 'topic'}`
}

/** A notification in one sentence, and its link. */
export function useNotificationLine(notification: NotificationView): { says: string; to: string | null } {
  const words = useWords('notification')
  return { says: words(sentences[notification.kind], useValues(notification)), to: wayOf(notification) }
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

function wayOf({ kind, post, members }: NotificationView): string | null {
  if (post) return postPath(post)
  return kind === 'followed' && members[0] ? `/user/control/home?userId=${members[0].id}` : null
}
