import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { postPath } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'
import type { ReminderKind, ReminderView } from '#notice/reminder-contract.ts'
import css from '#notice/web/notice.module.css'

const sentences: Record<ReminderKind, string> = {
  mentioned: 'toldMentioned',
  commented: 'toldCommented',
  repliedInThread: 'toldRepliedInThread',
  quoted: 'toldQuoted',
  replied: 'toldReplied',
  replyAnswered: 'toldReplyAnswered',
  repliedBeside: 'toldRepliedBeside',
  liked: 'toldLiked',
  accepted: 'toldAccepted',
  bountyEnding: 'toldBountyEnding',
  unlocked: 'toldUnlocked',
  followed: 'toldFollowed',
  welcome: 'toldWelcome',
}

/** What a reminder says, worded for whoever reads it, and the way there. */
export function Reminding({ reminder, follow }: { reminder: ReminderView; follow: () => void }) {
  const words = useWords('notice')
  const { kind, post } = reminder
  const says = words(sentences[kind], useValues(reminder))
  const to = wayOf(reminder)
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

function useValues({ post, members, people }: ReminderView): Record<string, string | number> {
  const words = useWords('notice')
  const word = usePostWord()
  const [one = '', two = ''] = members.map(({ name }) => name)
  const who = words('who', { people, one, two, others: people - 2 })
  if (!post) return { who, people }
  const { kind, thread } = post
  return {
    who,
    people,
    thread,
    what: word({ kind, thread }),
    remark: word({ kind: 'comment', thread }),
    opening: word({ kind: 'topic', thread }),
  }
}

function wayOf({ kind, post, members }: ReminderView): string | null {
  if (post) return postPath(post)
  return kind === 'followed' && members[0] ? `/user/control/home?userId=${members[0].id}` : null
}
