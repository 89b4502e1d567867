import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { ModelForm } from '#assistant/admin/model-form.tsx'
import { PartMarks } from '#assistant/admin/part-marks.tsx'
import { TestResult } from '#assistant/admin/test-result.tsx'
import type { modelList, ModelRow, removeModel, switchModel, testModel, useStandIn } from '#assistant/staff-contract.ts'
import { Manage } from '#base/admin/manage.tsx'
import { ActionsHead } from '#base/admin/short-list-table.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { joinNames } from '#base/language.ts'
import { useLanguage, useWords, type Translate } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#assistant/admin/assistant.module.css'

type Data = Output<typeof modelList>

export function Page() {
  const words = useWords('assistantAdmin')
  const language = useLanguage()
  const { models, isOn, canStandIn } = useLoaderData<Data>()
  return (
    <Manage<ModelRow>
      title={words('models')}
      summary={words('modelsWhat')}
      addLabel={mayDo('assistant.manage') ? words('add') : null}
      items={models}
      labelOf={({ name }) => name}
      columns={[
        { label: words('name'), text: ({ name }) => name, isSortable: true },
        { label: words('model'), text: ({ model }) => model },
        { label: words('address'), text: ({ address }) => address },
        { label: words('jobs'), text: ({ jobs }) => jobsIn(jobs, words, language) },
        { label: words('state'), text: (model) => words(stateOf(model)) },
      ]}
      form={ModelForm}
    >
      {(visible, edit) => (
        <>
          <Notes models={models} isOn={isOn} />
          {mayDo('assistant.manage') && canStandIn && !models.some(({ isStandIn, isEnabled }) => isStandIn && isEnabled) && <StandIn />}
          {models.length === 0 ? <Empty>{words('noModels')}</Empty> : <Table models={visible} edit={edit} />}
        </>
      )}
    </Manage>
  )
}

/** Problems that block all answers, or those of one model. */
function Notes({ models, isOn }: Pick<Data, 'models' | 'isOn'>) {
  const words = useWords('assistantAdmin')
  const on = models.filter(({ isEnabled, jobs }) => isEnabled && jobs.includes('chat'))
  return (
    <>
      {!isOn && (
        <p className="note">
          {words(on.length > 0 ? 'isOff' : 'isOffWithoutModel')}{' '}
          {mayDo('setting.view') && <Link to="/admin/setting?group=assistant">{words('toSettings')}</Link>}
        </p>
      )}
      {isOn && on.length === 0 && <p className="note">{words('noModelOn')}</p>}
      {on.some(({ isStandIn }) => isStandIn) && <p className="note">{words('standInAnswers')}</p>}
    </>
  )
}

function StandIn() {
  const words = useWords('assistantAdmin')
  const begin = useAction<typeof useStandIn>('/admin/assistant/standIn')
  return (
    <p>
      <button type="button" className="button quiet" disabled={begin.isBusy} onClick={() => void begin.run({})}>
        {words('useStandIn')}
      </button>{' '}
      <span className="meta">{words('useStandInHelp')}</span>
    </p>
  )
}

function Table({ models, edit }: { models: readonly ModelRow[]; edit: (model: ModelRow) => void }) {
  const words = useWords('assistantAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('name')}</th>
          <th>{words('jobs')}</th>
          <th>{words('prices')}</th>
          <th>{words('state')}</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <Line key={model.id} model={model} edit={() => edit(model)} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ model, edit }: { model: ModelRow; edit: () => void }) {
  const words = useWords('assistantAdmin')
  const test = useAction<typeof testModel>('/admin/assistant/model/test')
  const [tested, setTested] = useState<Output<typeof testModel> | null>(null)
  const language = useLanguage()
  const { id, name, isStandIn, address, jobs } = model

  async function run(): Promise<void> {
    setTested(null)
    setTested((await test.run({ modelId: id })) ?? null)
  }

  return (
    <tr>
      <td>
        <bdi>{name}</bdi> {isStandIn && <span className="mark">{words('standIn')}</span>}
        {!isStandIn && (
          <p className={`meta ${css.address}`}>
            {model.model} · {address}
          </p>
        )}
        {!tested && <PartMarks label={words('askedWithout')} parts={model.refusedParts} />}
        <div role="status">
          {test.isBusy && <p className="meta">{words('testing')}</p>}
          {tested && <TestResult tested={tested} isStandIn={isStandIn} />}
        </div>
      </td>
      <td data-label={words('jobs')}>{jobsIn(jobs, words, language) || words('noJobs')}</td>
      <td data-label={words('prices')}>
        <Prices of={model} />
      </td>
      <td data-label={words('state')}>
        <State of={model} />
      </td>
      <td>{mayDo('assistant.manage') && <Actions model={model} edit={edit} test={() => void run()} />}</td>
    </tr>
  )
}

function Actions({ model: { id, name, isEnabled, isStandIn }, edit, test }: { model: ModelRow; edit: () => void; test: () => void }) {
  const words = useWords('assistantAdmin')
  const ofAll = useWords('admin')
  const change = useAction<typeof switchModel>('/admin/assistant/model/switch')
  const removing = useAction<typeof removeModel>('/admin/assistant/model/remove')

  async function remove(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), ofAll('remove'))) await removing.run({ modelId: id })
  }

  return (
    <Menu label={ofAll('actionsFor', { name })}>
      <MenuButton onClick={test}>{words('test')}</MenuButton>
      {!isStandIn && <MenuButton onClick={edit}>{ofAll('edit')}</MenuButton>}
      <MenuButton onClick={() => void change.run({ modelId: id, isEnabled: !isEnabled })}>
        {words(isEnabled ? 'turnOff' : 'turnOn')}
      </MenuButton>
      <LogLink about={`assistantModel ${id}`} />
      <MenuButton danger onClick={() => void remove()}>
        {ofAll('remove')}
      </MenuButton>
    </Menu>
  )
}

function Prices({ of: { inputPrice, cachedPrice, outputPrice } }: { of: ModelRow }) {
  const words = useWords('assistantAdmin')
  const yuan = new Intl.NumberFormat(useLanguage(), { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' })
  if (inputPrice + cachedPrice + outputPrice === 0) return words('noPrice')
  const [input, cached, output] = [inputPrice, cachedPrice, outputPrice].map((cents) => yuan.format(cents / 100))
  return words('pricesOf', { input: input ?? '', cached: cached ?? '', output: output ?? '' })
}

function State({ of: model }: { of: ModelRow }) {
  const words = useWords('assistantAdmin')
  const { failure, restsUntil } = model
  const state = stateOf(model)
  return (
    <>
      <span className={css.state} data-tone={state}>
        {words(state)}
      </span>
      {restsUntil && (
        <p className="meta">
          {words('restsUntil')} <Time at={restsUntil} />
        </p>
      )}
      {failure && (
        <p className="meta">
          {words('lastFailure')} <Time at={failure.at} />: {failure.says}
          {failure.times > 1 && ` ${words('inARow', { count: failure.times })}`}
        </p>
      )}
    </>
  )
}

function stateOf({ isEnabled, restsUntil }: ModelRow): 'on' | 'off' | 'rests' {
  if (!isEnabled) return 'off'
  return restsUntil ? 'rests' : 'on'
}

function jobsIn(jobs: ModelRow['jobs'], words: Translate, language: 'zh' | 'en'): string {
  return joinNames(
    language,
    jobs.map((job) => words(`job${job}`)),
  )
}
