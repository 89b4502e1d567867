import { useState } from 'react'
import { ComboboxField } from '#base/admin/combobox-field.tsx'
import { memberSearch } from '#base/admin/member-search.ts'
import { useAction } from '#base/web/action.ts'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { receivedText } from '#payment/admin/events-page.tsx'
import type { StaffEvent } from '#payment/admin/views.ts'
import { bookEvent, creditEvent, dismissEvent, type readEventAgain, returnEvent } from '#payment/event-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type Way = 'credit' | 'return' | 'book' | 'dismiss'
type FormProps = { event: StaffEvent; onDone: () => void }

/** The ways to settle a suspended event, as far as there is money to move. */
export function SettleSection({ event }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const [way, choose] = useState<Way | null>(null)
  if (!mayDo('payment.refund')) return <p className="note">{words('settleNotYours')}</p>
  const close = () => choose(null)
  return (
    <p className="actions">
      {event.canCredit && (
        <button type="button" className="button" onClick={() => choose('credit')}>
          {words('credit')}
        </button>
      )}
      {event.canBook && (
        <button type="button" className="button" onClick={() => choose('book')}>
          {words(bookWords(event))}
        </button>
      )}
      {event.canReturn && (
        <button type="button" className="button quiet" onClick={() => choose('return')}>
          {words('return')}
        </button>
      )}
      {event.canReadAgain && <ReadAgain event={event} />}
      <button type="button" className="button quiet" onClick={() => choose('dismiss')}>
        {words('dismiss')}
      </button>
      <Dialog title={words(way === 'book' ? bookWords(event) : `${way ?? 'dismiss'}Title`)} isOpen={way !== null} close={close}>
        {way === 'credit' && <CreditForm event={event} onDone={close} />}
        {way === 'return' && <ReturnForm event={event} onDone={close} />}
        {way === 'book' && <BookForm event={event} onDone={close} />}
        {way === 'dismiss' && <DismissForm event={event} onDone={close} />}
      </Dialog>
    </p>
  )
}

function ReadAgain({ event: { id } }: { event: StaffEvent }) {
  const words = useWords('paymentAdmin')
  const reading = useAction<typeof readEventAgain>('/admin/payment/event/readAgain')

  async function read(): Promise<void> {
    const answer = await reading.run({ eventId: id })
    if (answer) toast(words(`reading${answer.outcome}`))
  }

  return (
    <button type="button" className="button" disabled={reading.isBusy} onClick={() => void read()}>
      {words('readAgain')}
    </button>
  )
}

function CreditForm({ event, onDone }: FormProps) {
  const words = useWords('paymentAdmin')
  const api = useApi()
  const { id, member } = event
  return (
    <Form
      endpoint={creditEvent}
      extra={{ eventId: id }}
      onSuccess={({ isWaiting }) => {
        onDone()
        toast(words(isWaiting ? 'creditAsked' : 'credited'))
      }}
    >
      <p>{words('creditWhat', { amount: receivedText(event, words) })}</p>
      {mayDo('member.view') ? (
        <ComboboxField
          name="memberId"
          label={words('member')}
          placeholder={words('findMember')}
          find={(typed) => memberSearch.get()(typed.trim(), api)}
          initial={member ?? undefined}
          isFirst
          isRemote
        />
      ) : (
        <Field
          name="memberId"
          label={words('memberNumber')}
          defaultValue={member?.id}
          inputMode="numeric"
          maxLength={19}
          required
          data-first
        />
      )}
      <TextField name="reason" label={words('reason')} help={words('creditReasonRead')} maxLength={500} rows={2} required />
      <Submit>{words('credit')}</Submit>
    </Form>
  )
}

function bookWords({ kind }: StaffEvent): 'bookRefund' | 'bookDispute' {
  return kind === 'dispute' ? 'bookDispute' : 'bookRefund'
}

function BookForm({ event, onDone }: FormProps) {
  const words = useWords('paymentAdmin')
  const { id, provider, booking } = event
  return (
    <Form
      endpoint={bookEvent}
      extra={{ eventId: id }}
      onSuccess={({ isWaiting }) => {
        onDone()
        toast(words(isWaiting ? 'creditAsked' : 'booked'))
      }}
    >
      <p>{words('bookWhat', { provider: words(`provider${provider}`) })}</p>
      <Field
        name="number"
        label={words('number')}
        defaultValue={booking.number ?? ''}
        inputMode="numeric"
        maxLength={20}
        required
        {...(!booking.number && { 'data-first': true })}
      />
      <Field
        name="amount"
        label={words('bookAmount')}
        help={event.currency === 'CNY' ? undefined : words('bookAmountHelp', { amount: receivedText(event, words) })}
        defaultValue={booking.amount ?? ''}
        inputMode="decimal"
        required
        {...(booking.number && { 'data-first': true })}
      />
      <TextField name="reason" label={words('reason')} help={words('creditReasonRead')} maxLength={500} rows={2} required />
      <Submit>{words(bookWords(event))}</Submit>
    </Form>
  )
}

function ReturnForm({ event, onDone }: FormProps) {
  const words = useWords('paymentAdmin')
  return (
    <Form
      endpoint={returnEvent}
      extra={{ eventId: event.id }}
      onSuccess={() => {
        onDone()
        toast(words('returned'))
      }}
    >
      <p>{words('returnWhat', { amount: receivedText(event, words), provider: words(`provider${event.provider}`) })}</p>
      <TextField name="reason" label={words('reason')} help={words('returnReasonRead')} maxLength={500} rows={2} required data-first />
      <Submit danger>{words('return')}</Submit>
    </Form>
  )
}

function DismissForm({ event, onDone }: FormProps) {
  const words = useWords('paymentAdmin')
  return (
    <Form
      endpoint={dismissEvent}
      extra={{ eventId: event.id }}
      onSuccess={() => {
        onDone()
        toast(words('dismissed'))
      }}
    >
      <p>{words(event.canBook ? 'dismissWhatBack' : event.canCredit ? 'dismissWhatMoney' : 'dismissWhat')}</p>
      <TextField name="reason" label={words('reason')} help={words('reasonForLog')} maxLength={500} rows={2} required data-first />
      <Submit>{words('dismiss')}</Submit>
    </Form>
  )
}
