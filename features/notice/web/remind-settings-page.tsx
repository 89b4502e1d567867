import { useState } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { useWords } from '#base/web/words.tsx'
import type { changeReminderSetting, ReminderKind, reminderSettings } from '#notice/reminder-contract.ts'
import { NoticeTabs } from '#notice/web/notice-tabs.tsx'
import css from '#notice/web/notice.module.css'

const labels: Record<Exclude<ReminderKind, 'welcome'>, string> = {
  mentioned: 'ofMentions',
  commented: 'ofComments',
  repliedInThread: 'ofRepliesInThread',
  quoted: 'ofQuotes',
  replied: 'ofReplies',
  replyAnswered: 'ofRepliesAnswered',
  repliedBeside: 'ofRepliesBeside',
  watched: 'ofWatched',
  followedWrote: 'ofFollowedWrote',
  liked: 'ofLikes',
  accepted: 'ofAccepted',
  bountyEnding: 'ofBountyEnding',
  unlocked: 'ofUnlocks',
  followed: 'ofFollowers',
}

/** Of which kinds one is reminded, and where: kinds by channel. */
export function Page() {
  const words = useWords('notice')
  const { kinds } = useLoaderData<Output<typeof reminderSettings>>()
  return (
    <section className="column">
      <NoticeTabs />
      <p className="meta">{words('settingsHelp')}</p>
      <table className={css.settings}>
        <thead>
          <tr>
            <th scope="col">{words('about')}</th>
            <th scope="col">{words('inForum')}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((row) => (
            <Row key={row.kind} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ row: { kind, forum } }: { row: Output<typeof reminderSettings>['kinds'][number] }) {
  const words = useWords('notice')
  const { isBusy, go } = useDeed<typeof changeReminderSetting>('/user/control/changeRemindSetting')
  const [isOn, turn] = useState(forum)
  const label = words(labels[kind])

  async function choose(forum: boolean): Promise<void> {
    turn(forum)
    if ((await go({ kind, forum }, { done: words('saved') })) === undefined) turn(!forum)
  }

  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <label>
          <input
            type="checkbox"
            aria-label={`${label}: ${words('inForum')}`}
            checked={isOn}
            disabled={isBusy}
            onChange={({ target }) => void choose(target.checked)}
          />
        </label>
      </td>
    </tr>
  )
}
