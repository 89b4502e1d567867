import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field, PasswordField } from '#base/web/form.tsx'
import { MenuButton } from '#base/web/menu.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { protocols, type Protocol } from '#identity/protocols.ts'
import {
  addProvider,
  editProvider,
  type providerList,
  type ProviderRow,
  type removeProvider,
  type tryProvider,
} from '#identity/staff-contract.ts'
import { useState } from 'react'

export function Page() {
  const words = useWords('identityAdmin')
  const language = useLanguage()
  const { providers, redirectUri } = useLoaderData<Output<typeof providerList>>()
  return (
    <>
      <Manage<ProviderRow>
        title={words('providers')}
        summary={words('what')}
        addLabel={words('add')}
        items={providers}
        labelOf={({ name }) => name[language]}
        columns={useColumns()}
        form={ProviderForm}
        emptyText={words('none')}
        renderActions={(provider, edit) => <Actions provider={provider} edit={edit} />}
      />
      <p className="meta">
        {words('redirectUri')}: <code>{redirectUri}</code>
      </p>
    </>
  )
}

function useColumns(): ShortListColumn<ProviderRow>[] {
  const words = useWords('identityAdmin')
  const language = useLanguage()
  return [
    { label: words('name'), text: ({ name }) => name[language] },
    { label: words('protocol'), text: ({ protocol }) => words(protocol) },
    {
      label: words('state'),
      text: ({ isEnabled }) => words(isEnabled ? 'on' : 'off'),
      show: (provider) => <State provider={provider} />,
    },
    { label: words('members'), text: ({ members }) => String(members), show: (provider) => <Members provider={provider} /> },
  ]
}

function State({ provider: { isEnabled, failure } }: { provider: ProviderRow }) {
  const words = useWords('identityAdmin')
  return (
    <>
      {words(isEnabled ? 'on' : 'off')}
      {failure && (
        <p className="meta">
          {words('failure')} <Time at={failure.at} />: {failure.says}
        </p>
      )}
    </>
  )
}

function Members({ provider: { members, without } }: { provider: ProviderRow }) {
  const words = useWords('identityAdmin')
  return (
    <>
      {members}
      {without > 0 && <p className="meta">{words('without', { count: without })}</p>}
    </>
  )
}

function Actions({ provider: { id, name: names }, edit }: { provider: ProviderRow; edit: () => void }) {
  const words = useWords('identityAdmin')
  const name = names[useLanguage()]
  const removing = useAction<typeof removeProvider>('/admin/identity/provider/remove')
  const trying = useAction<typeof tryProvider>('/admin/identity/provider/try')

  async function attempt(): Promise<void> {
    const answer = await trying.run({ providerId: id })
    if (answer) toast(answer.failure === null ? words('tryFine', { name }) : words('tryFailed', { name, says: answer.failure }))
  }

  return (
    <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => removing.run({ providerId: id })}>
      <MenuButton onClick={() => void attempt()}>{words('try')}</MenuButton>
      <LogLink about={`identityProvider ${id}`} />
    </EditMenu>
  )
}

function ProviderForm({ item: provider, onDone }: EditFormProps<ProviderRow>) {
  const words = useWords('identityAdmin')
  const [protocol, setProtocol] = useState<Protocol>(provider?.protocol ?? 'oidc')
  return (
    <AddOrEdit
      addEndpoint={addProvider}
      editEndpoint={editProvider}
      editedId={provider && { providerId: provider.id, version: provider.version }}
      onDone={onDone}
    >
      {provider ? null : <ProtocolField chosen={protocol} choose={setProtocol} />}
      <NameFields name={provider?.name} maxLength={30} />
      <Field
        name="address"
        type="url"
        label={words('address')}
        help={words('addressHelp')}
        defaultValue={provider?.address ?? ''}
        required={protocol === 'oidc'}
        maxLength={250}
      />
      <Field name="clientId" label={words('clientId')} defaultValue={provider?.clientId} required maxLength={250} autoComplete="off" />
      <SecretField name="clientSecret" label={words('clientSecret')} isNew={provider === null} />
      {protocol === 'wechat' && (
        <>
          <Field
            name="inAppClientId"
            label={words('inAppClientId')}
            help={words('inAppHelp')}
            defaultValue={provider?.inAppClientId ?? ''}
            maxLength={250}
            autoComplete="off"
          />
          <SecretField name="inAppClientSecret" label={words('inAppClientSecret')} isNew={provider === null} />
        </>
      )}
      <Field name="isEnabled" type="checkbox" label={words('isEnabled')} defaultChecked={provider?.isEnabled ?? false} />
      <SortField sort={provider?.sort} />
    </AddOrEdit>
  )
}

function ProtocolField({ chosen, choose }: { chosen: Protocol; choose: (protocol: Protocol) => void }) {
  const words = useWords('identityAdmin')
  return (
    <SelectField
      name="protocol"
      label={words('protocol')}
      value={chosen}
      onChange={({ currentTarget }) => choose(protocols.find((one) => one === currentTarget.value) ?? 'oidc')}
    >
      {protocols.map((one) => (
        <option key={one} value={one}>
          {words(one)}
        </option>
      ))}
    </SelectField>
  )
}

function SecretField({ name, label, isNew }: { name: string; label: string; isNew: boolean }) {
  const words = useWords('identityAdmin')
  return <PasswordField name={name} label={label} {...(!isNew && { help: words('secretHelp') })} autoComplete="off" maxLength={500} />
}
