import { useState, type ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import { PersonLink } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu } from '#base/web/menu.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import facts from '#base/admin/facts.module.css'
import { amountIn, TopicLink } from '#red-envelope/admin/envelopes-page.tsx'
import { kindWords, stateWords, stopEnvelope, type staffEnvelope, type staffShares } from '#red-envelope/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#red-envelope/admin/envelopes.module.css'

type Envelope = Output<typeof staffEnvelope>
export type EnvelopeData = { envelope: Envelope; shares: Output<typeof staffShares> }

export function Page() {
  const words = useWords('redEnvelopeAdmin')
  const { envelope, shares } = useLoaderData<EnvelopeData>()
  const [isOpen, setOpen] = useState(false)
  const name = words('called', { number: envelope.id })
  const isStoppable = envelope.state === 'open' || envelope.state === 'waiting'
  return (
    <>
      <Head title={name}>
        <Menu label={words('actionsFor', { name })}>
          <LogLink about={`redEnvelope ${envelope.id}`} />
        </Menu>
      </Head>
      <Facts of={envelope} />
      <Signs of={envelope.signs} giverId={envelope.giver.id} />
      {isStoppable && mayDo('redEnvelope.stop') && (
        <p className="actions">
          <button type="button" className="button danger" onClick={() => setOpen(true)}>
            {words('stop')}
          </button>
        </p>
      )}
      <Shares of={shares} currency={envelope.currency} />
      <Dialog title={words('stopTitle', { number: envelope.id })} isOpen={isOpen} close={() => setOpen(false)}>
        <p>{words('stopWhat')}</p>
        <Form
          endpoint={stopEnvelope}
          extra={{ envelopeId: envelope.id }}
          onSuccess={() => {
            setOpen(false)
            toast(words('stopped'))
          }}
        >
          <TextField name="reason" label={words('reason')} help={words('reasonHelp')} maxLength={500} rows={2} required data-first />
          <Submit danger>{words('stop')}</Submit>
        </Form>
      </Dialog>
    </>
  )
}

// Spelled out, so that a reason without words does not compile.
const reasonWords = {
  taken: 'endTaken',
  expired: 'endExpired',
  postGone: 'endPostGone',
  giverGone: 'endGiverGone',
  stopped: 'endStopped',
  tooLittle: 'endTooLittle',
} as const

function Facts({ of: envelope }: { of: Envelope }) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const { giver, receiver, topic, kind, state, endReason, greeting, currency, amount, quantity, taken, takenAmount, returned } = envelope
  const { at, endsAt, endedAt, transactionId, returnId, isInMessage } = envelope
  const format = (sum: string) => amountIn(sum, currency, words, language)
  return (
    <dl className={facts.facts}>
      <Fact label={words('state')}>
        {words(stateWords[state])}
        {endReason && ` · ${words(reasonWords[endReason])}`}
      </Fact>
      <Fact label={words('kind')}>{words(kindWords[kind])}</Fact>
      <Fact label={words('giver')}>
        <PersonLink of={giver} />
      </Fact>
      {receiver && (
        <Fact label={words('receiver')}>
          <PersonLink of={receiver} />
        </Fact>
      )}
      {(topic ?? isInMessage) && <Fact label={words('topic')}>{topic ? <TopicLink of={topic} /> : words('inMessage')}</Fact>}
      {greeting && <Fact label={words('greeting')}>{greeting}</Fact>}
      <Fact label={words('amount')}>
        <Moved transactionId={transactionId}>{format(amount)}</Moved>
      </Fact>
      <Fact label={words('opened')}>{words('openedSum', { taken, quantity, amount: format(takenAmount) })}</Fact>
      {state === 'returned' && (
        <Fact label={words('returned')}>
          <Moved transactionId={returnId}>{format(returned)}</Moved>
        </Fact>
      )}
      <Conditions of={envelope} />
      <Fact label={words('at')}>
        <Time at={at} />
      </Fact>
      {endsAt && (
        <Fact label={words(endedAt ? 'ended' : 'ends')}>
          <Time at={endedAt ?? endsAt} />
        </Fact>
      )}
    </dl>
  )
}

function Conditions({ of: { conditions, role, level: named } }: { of: Envelope }) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  const { commented, follows, level, roleId, days } = conditions
  const all = [
    commented && words('ifCommented'),
    follows && words('ifFollows'),
    level !== undefined && (named ? words('ifLevel', { level: named[language] }) : words('ifPoints', { points: Number(level) })),
    roleId !== undefined && (role ? words('ifRole', { role: role[language] }) : words('ifRoleGone')),
    days !== undefined && words('ifDays', { days }),
  ].filter((one) => typeof one === 'string')
  return all.length > 0 && <Fact label={words('conditions')}>{all.join(' · ')}</Fact>
}

/** Hints at farming, for staff to judge. */
function Signs({ of: { newAccounts, sameNetwork, sameBrowser, giveBack, inHints }, giverId }: { of: Envelope['signs']; giverId: string }) {
  const words = useWords('redEnvelopeAdmin')
  const all = [
    newAccounts > 0 && words('signNew', { count: newAccounts }),
    sameNetwork > 0 && words('signNetwork', { count: sameNetwork }),
    sameBrowser > 0 && words('signBrowser', { count: sameBrowser }),
    giveBack > 0 && words('signBack', { count: giveBack }),
    inHints > 0 && words('signHints', { count: inHints }),
  ].filter((one) => typeof one === 'string')
  if (all.length === 0) return null
  return (
    <div className="note">
      <strong>{words('signs')}</strong>
      <ul>
        {all.map((sign) => (
          <li key={sign}>{sign}</li>
        ))}
      </ul>
      {words('signsWhat')}
      {inHints > 0 && mayDo('wallet.view') && (
        <>
          {' '}
          <Link to={`/admin/collusion?member=${giverId}`}>{words('seeHints')}</Link>
        </>
      )}
    </div>
  )
}

function Shares({ of: { shares, page, pages, total }, currency }: { of: EnvelopeData['shares']; currency: Envelope['currency'] }) {
  const words = useWords('redEnvelopeAdmin')
  const language = useLanguage()
  return (
    <section aria-labelledby="shares">
      <h2 id="shares">{words('openers')}</h2>
      {total === 0 && <p className="meta">{words('nobody')}</p>}
      <ol className={css.shares}>
        {shares.map(({ member, amount, at, isPaid, isBest }) => (
          <li key={member.id}>
            <PersonLink of={member} />
            <span>{amountIn(amount, currency, words, language)}</span>
            <Time at={at} />
            {isBest && <span className="mark">{words('luckiest')}</span>}
            {!isPaid && <span className="mark">{words('notPaidYet')}</span>}
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function Moved({ transactionId, children }: { transactionId: string | null; children: ReactNode }) {
  if (transactionId === null || !mayDo('wallet.view')) return children
  return <Link to={`/admin/wallet/transaction?transactionId=${transactionId}`}>{children}</Link>
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
