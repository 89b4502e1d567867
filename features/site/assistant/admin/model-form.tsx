import { useState } from 'react'
import { assistantJobs } from '#assistant/contract.ts'
import { presets, type PresetName } from '#assistant/presets.ts'
import { protocols, requestParts, type Protocol } from '#assistant/protocols.ts'
import { addModel, editModel, type ModelRow } from '#assistant/staff-contract.ts'
import { partTexts } from '#assistant/admin/part-texts.ts'
import { AddOrEdit, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { CheckboxGroup } from '#base/admin/checkbox-group.tsx'
import { SelectField, Field, PasswordField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

const presetNames = Object.keys(presets) as PresetName[]

export function ModelForm({ item: model, onDone }: EditFormProps<ModelRow>) {
  const words = useWords('assistantAdmin')
  return (
    <AddOrEdit
      addEndpoint={addModel}
      editEndpoint={editModel}
      editedId={model && { modelId: model.id, version: model.version }}
      onDone={onDone}
    >
      <AddressFields model={model} />
      <ModelFields model={model} />
      <Field name="name" label={words('name')} help={words('nameHelp')} defaultValue={model?.name} required maxLength={60} />
      <Jobs model={model} />
      <Field
        name="contextTokens"
        type="number"
        label={words('contextTokens')}
        help={words('contextTokensHelp')}
        defaultValue={model?.contextTokens ?? 32_000}
        required
      />
      <Field name="inputPrice" type="number" label={words('inputPrice')} help={words('priceHelp')} defaultValue={model?.inputPrice ?? 0} />
      <Field
        name="cachedPrice"
        type="number"
        label={words('cachedPrice')}
        help={words('cachedPriceHelp')}
        defaultValue={model?.cachedPrice ?? 0}
      />
      <Field name="outputPrice" type="number" label={words('outputPrice')} defaultValue={model?.outputPrice ?? 0} />
      <RefusedParts model={model} />
      <Field name="isEnabled" type="checkbox" label={words('isEnabled')} defaultChecked={model?.isEnabled ?? true} />
      <SortField sort={model?.sort} />
    </AddOrEdit>
  )
}

/** The address, filled in by the choice of a provider. */
function AddressFields({ model }: { model: ModelRow | null }) {
  const words = useWords('assistantAdmin')
  const [protocol, setProtocol] = useState<Protocol>(model?.protocol ?? 'openai')
  const [address, setAddress] = useState(model?.address ?? '')

  function choose(name: string): void {
    const chosen = presetNames.find((one) => one === name)
    if (!chosen) return
    setProtocol(presets[chosen].protocol)
    setAddress(presets[chosen].address)
  }

  return (
    <>
      <PresetField protocol={protocol} address={address} choose={choose} />
      <SelectField
        name="protocol"
        label={words('protocol')}
        value={protocol}
        onChange={({ target }) => setProtocol(protocols.find((one) => one === target.value) ?? 'openai')}
      >
        {protocols.map((one) => (
          <option key={one} value={one}>
            {words(`protocol${one}`)}
          </option>
        ))}
      </SelectField>
      <Field
        name="address"
        type="url"
        label={words('address')}
        help={words('addressHelp')}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
        required
        maxLength={250}
      />
    </>
  )
}

type PresetProps = { protocol: Protocol; address: string; choose: (name: string) => void }

function PresetField({ protocol, address, choose }: PresetProps) {
  const words = useWords('assistantAdmin')
  const preset = presetNames.find((name) => presets[name].address === address && presets[name].protocol === protocol) ?? ''
  return (
    <SelectField
      name="preset"
      label={words('preset')}
      help={words('presetHelp')}
      value={preset}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{words('presetOther')}</option>
      {presetNames.map((name) => (
        <option key={name} value={name}>
          {words(`preset${name}`)}
        </option>
      ))}
    </SelectField>
  )
}

/** The model and its key. */
function ModelFields({ model }: { model: ModelRow | null }) {
  const words = useWords('assistantAdmin')
  return (
    <>
      <Field
        name="model"
        label={words('model')}
        help={words('modelHelp')}
        defaultValue={model?.model}
        required
        maxLength={200}
        autoComplete="off"
      />
      <PasswordField
        name="apiKey"
        label={words('apiKey')}
        help={words(model?.hasKey ? 'apiKeyKept' : 'apiKeyHelp')}
        autoComplete="off"
        maxLength={500}
      />
      {model?.hasKey && <Field name="removesKey" type="checkbox" label={words('removesKey')} />}
    </>
  )
}

function Jobs({ model }: { model: ModelRow | null }) {
  const words = useWords('assistantAdmin')
  return (
    <CheckboxGroup legend={words('jobs')}>
      {assistantJobs.map((job) => (
        <label key={job}>
          <input
            type="checkbox"
            name="jobs"
            value={job}
            defaultChecked={model ? model.jobs.includes(job) : true}
            aria-describedby="jobs-help"
          />{' '}
          {words(`job${job}`)}
        </label>
      ))}
      <p id="jobs-help" className="help">
        {words('jobsHelp')}
      </p>
    </CheckboxGroup>
  )
}

function RefusedParts({ model }: { model: ModelRow | null }) {
  const words = useWords('assistantAdmin')
  return (
    <CheckboxGroup legend={words('refusedParts')}>
      {requestParts.map((part) => (
        <label key={part}>
          <input
            type="checkbox"
            name="refusedParts"
            value={part}
            defaultChecked={model?.refusedParts.includes(part) ?? false}
            aria-describedby="refused-parts-help"
          />{' '}
          {words(partTexts[part])}
        </label>
      ))}
      <p id="refused-parts-help" className="help">
        {words('refusedPartsHelp')}
      </p>
    </CheckboxGroup>
  )
}
