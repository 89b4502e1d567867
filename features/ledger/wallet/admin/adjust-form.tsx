import type { Output } from '#base/contract.ts'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { SelectField, Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { adjustBalance, adjustPoints, type memberAccounts } from '#wallet/adjust-contract.ts'
import type { Currency } from '#wallet/contract.ts'
import { amountText } from '#wallet/web/wallet.tsx'

type AdjustFormProps = { data: Output<typeof memberAccounts>; currency: Currency; onDone: () => void }

/** The form that adds to an account or takes from it. Warns before a large amount that it will wait for approval. */
export function AdjustForm({ data: { member, alone, aloneADay, accounts }, currency, onDone }: AdjustFormProps) {
  const words = useWords('walletAdmin')
  const language = useLanguage()
  const has = accounts.find((one) => one.currency === currency)?.balance ?? '0'
  const format = (amount: string) => amountText(amount, currency, language)
  return (
    <Form
      endpoint={currency === 'points' ? adjustPoints : adjustBalance}
      extra={{ memberId: member.id }}
      onSuccess={({ isWaiting }) => {
        onDone()
        toast(words(isWaiting ? 'asked' : 'adjusted'))
      }}
    >
      <UnsavedGuard />
      <SelectField name="way" label={words('way')} data-first>
        <option value="add">{words('add')}</option>
        <option value="take">{words('take')}</option>
      </SelectField>
      <Field
        name="amount"
        label={words(currency === 'points' ? 'pointsAmount' : 'yuanAmount')}
        help={words('amountHelp', { has: format(has), alone: format(alone[currency]), aloneADay: format(aloneADay[currency]) })}
        inputMode={currency === 'points' ? 'numeric' : 'decimal'}
        autoComplete="off"
        maxLength={13}
        required
      />
      <TextField name="reason" label={words('reason')} help={words('reasonRead')} maxLength={500} rows={2} required />
      <Submit>{words('adjust')}</Submit>
    </Form>
  )
}
