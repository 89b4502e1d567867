import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '#base/testing/waits.ts'
import { Halt } from '../../../scripts/step.mjs'
import { installFromDebian } from '../../../tools/install-from-debian.ts'
import { root } from '../../../tools/steps.ts'

const systemd = '/lib/systemd/systemd'

/** A machine that systemd has started, with the repository in /srv/teahouse and the network of this one. */
export type Machine = {
  /** Runs a command of the shell as root, and returns its output. */
  run(command: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts systemd as the first process of namespaces of its own. It sees the files of this machine, and its changes vanish with it: so a
 * unit can be tried for real where systemd does not run, or must not be touched.
 */
export async function startMachine(): Promise<Machine> {
  await requireSystemd()
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-machine-'))
  const cgroup = await ownCgroup()
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--uts', '--ipc', '--cgroup']
  const script = join(import.meta.dirname, 'machine.sh')
  // The shell enters the group before the namespaces are made, so that systemd takes it for the whole tree.
  const enter = `echo $$ > ${cgroup}/cgroup.procs && exec setpriv --pdeathsig KILL unshare ${namespaces.join(' ')} sh ${script} ${folder} ${root} ${process.execPath}`
  const child = spawn('sh', ['-c', enter], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  let first = ''
  await until(() => (first = childOf(child.pid)) !== '' && readFileSync(`/proc/${first}/comm`, 'utf8') === 'systemd\n')
  const within = ['--target', first, '--mount', '--pid', '--uts', '--ipc', '--', 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin']

  async function runWithin(command: string): Promise<string> {
    const { stdout } = await promisify(execFile)('nsenter', [...within, 'sh', '-ec', command], { maxBuffer: 2 ** 26 })
    return stdout
  }
  await until(() => runWithin('systemctl is-active basic.target'))
  return {
    run: runWithin,
    async stop() {
      child.kill('SIGKILL')
      await ended
      await until(() => removeCgroup(cgroup))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function requireSystemd(): Promise<void> {
  if (existsSync(systemd) || (await installFromDebian('systemd', ['systemd']))) return
  throw new Halt('The tests of the unit need systemd. Install systemd.')
}

async function ownCgroup(): Promise<string> {
  const [, all] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/self/mounts', 'utf8')) ?? []
  if (!all) throw new Halt('The tests of the unit need a kernel with cgroup2 mounted.')
  return mkdtempSync(join(all, 'teahouse-machine-'))
}

/** False while a process of it has not ended. */
function removeCgroup(folder: string): boolean {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeCgroup(join(folder, entry.name))
    rmdirSync(folder)
  } catch {
    return !existsSync(folder)
  }
  return true
}

function childOf(pid: number | undefined): string {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return child
}
