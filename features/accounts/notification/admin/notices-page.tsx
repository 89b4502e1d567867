import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import type { SelectedRows } from '#base/admin/selection.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { plainText } from '#base/plain-text.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { BatchActions } from '#notification/admin/batch.tsx'
import { noticeList, type Row, type withdrawNotice } from '#notification/staff-contract.ts'
import css from '#notification/admin/notice.module.css'

export function Page() {
  const words = useWords('notificationAdmin')
  const language = useLanguage()
  const page = useLoaderData<Output<typeof noticeList>>()
  return (
    <>
      <Head title={words('notices')}>
        <Link to="/admin/notice/edit" className="button">
          {words('add')}
        </Link>
      </Head>
      <p className="meta">{words('what')}</p>
      <StaffList of={noticeList} page={page} cells={cellsIn(words, language)} called={(row) => textIn(row, language)} bulkActions={batch} />
    </>
  )
}

function batch(chosen: SelectedRows<Row>, done: () => void) {
  return <BatchActions chosen={chosen} onDone={done} />
}

function textIn({ zh, en }: Row, language: 'zh' | 'en'): string {
  return language === 'zh' ? zh || en : en || zh
}

function cellsIn(words: Translate, language: 'zh' | 'en'): CellsOf<typeof noticeList> {
  return {
    text: {
      show: (row) => (
        <Link to={`/admin/notice/edit?noticeId=${row.id}`} className={css.text}>
          {plainText(textIn(row, language)) || words('noText')}
        </Link>
      ),
      text: (row) => textIn(row, language),
    },
    state: { show: ({ state }) => <State state={state} /> },
    sendsAt: { show: ({ sendsAt, state }) => sendsAt && (state === 'waiting' ? momentOf(sendsAt, language) : <Time at={sendsAt} />) },
    languages: { text: (row) => languagesOf(row, words) },
    actions: { show: (row) => row.state === 'waiting' && <Withdraw noticeId={row.id} /> },
  }
}

function State({ state }: Pick<Row, 'state'>) {
  const words = useWords('notificationAdmin')
  return (
    <div>
      <span className="mark">{words(state)}</span>
    </div>
  )
}

function momentOf(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

function languagesOf({ zh, en }: Row, words: Translate): string {
  return [...(zh ? [words('chinese')] : []), ...(en ? [words('english')] : [])].join(' · ')
}

function Withdraw({ noticeId }: { noticeId: string }) {
  const words = useWords('notificationAdmin')
  const withdraw = useAction<typeof withdrawNotice>('/admin/notice/withdraw')

  async function ask(): Promise<void> {
    if (await confirm(words('withdrawAsk'), words('withdraw'))) await withdraw.run({ noticeId }, { message: words('withdrawn') })
  }

  return (
    <button type="button" className="plain" disabled={withdraw.isBusy} onClick={() => void ask()}>
      {words('withdraw')}
    </button>
  )
}
