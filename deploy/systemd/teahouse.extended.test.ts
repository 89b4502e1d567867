import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freePort } from '#base/testing/free-port.ts'
import { until } from '#base/testing/waits.ts'
import { startMachine, type Machine } from './testing/machine.ts'

const unit = join(import.meta.dirname, 'teahouse.service')
let port: number
let machine: Machine

// What docs/operations.md says, on a machine that has the program in its place.
beforeAll(async () => {
  port = await freePort()
  machine = await startMachine()
  afterFile(() => machine.stop())
  await machine.run(`cd /srv/teahouse && node scripts/up.mjs build
    useradd --system --user-group --home-dir /var/lib/teahouse --shell /usr/sbin/nologin teahouse
    install -D -m 600 deploy/systemd/environment.example /etc/teahouse/environment
    printf 'PORT=${port}\nTEAHOUSE_SAMPLE=1\nTEAHOUSE_PROCESSES=2\n' >> /etc/teahouse/environment
    install -m 644 deploy/systemd/teahouse.service /etc/systemd/system/
    systemctl daemon-reload`)
  // Runs under the restrictions of the service, and fails it if one is missing.
  await machine.run(`printf 'for folder in /srv/teahouse /etc /usr /home /root; do touch $folder/x 2>/dev/null && exit 1; done
    touch /var/lib/teahouse/x /tmp/x' > /srv/probe`)
  await addToUnit('ExecStartPre=/bin/sh /srv/probe')
  await machine.run('systemctl start teahouse || { journalctl -u teahouse -o cat --no-pager >&2; exit 1; }')
  await untilReady(1)
})

test('the unit is valid, and systemd rates its exposure at most 3.0', () => {
  const analyze = (...words: string[]) => execFileSync('systemd-analyze', [...words, unit], { encoding: 'utf8', stdio: 'pipe' })
  expect(analyze('verify')).toBe('')
  // Fails above it.
  expect(analyze('security', '--offline=true', '--threshold=30')).toContain('Overall exposure level')
})

test('under the unit, the forum serves pages, answers and pictures from its embedded database', async () => {
  const [page, topics, picture] = await Promise.all([get('/'), get('/api/topic/list'), get('/share/1.png')])
  expect([page.status, topics.status, picture.status]).toEqual([200, 200, 200])
  expect(await page.text()).toContain('</html>')
  expect(Buffer.from(await picture.arrayBuffer()).subarray(1, 4)).toEqual(Buffer.from('PNG'))
})

test('the service has a user of its own, no capability, and filtered system calls', async () => {
  const status = await machine.run('cat /proc/$(systemctl show teahouse -P MainPID)/status')
  expect(status).toMatch(/^CapBnd:\s0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\s1$/m)
  expect(status).toMatch(/^Seccomp:\s2$/m)
  expect(await machine.run('ps -o user= -p $(systemctl show teahouse -P MainPID)')).toBe('teahouse\n')
})

test('the service lacks nothing that the program asks for', async () => {
  expect(await log()).not.toMatch(/"level":"(warn|error|fatal)"|Warning|EACCES|EPERM|EROFS/)
  expect(await machine.run('ls /var/lib/teahouse')).toContain('postgres')
})

test('the operator’s tool makes a backup beside the service', async () => {
  const told = await machine.run(`systemd-run --quiet --pipe --wait --uid=teahouse --working-directory=/srv/teahouse \
    -p EnvironmentFile=/etc/teahouse/environment -E TEAHOUSE_DATA=/var/lib/teahouse node scripts/up.mjs teahouse backup`)
  expect(told).toContain('/var/lib/teahouse/backups/')
})

test('a killed service starts again, and its database with it', async () => {
  const before = await machine.run('systemctl show teahouse -P MainPID')
  await machine.run('systemctl kill --kill-who=main --signal=KILL teahouse')
  await until(async () => (await machine.run('systemctl show teahouse -P NRestarts')) === '1\n')
  await untilReady(2)
  expect(await machine.run('systemctl show teahouse -P MainPID')).not.toBe(before)
})

test('the service stops in order: the forum is asked, and nothing is killed', async () => {
  await machine.run('systemctl stop teahouse')
  expect(await machine.run('systemctl show teahouse -P Result -P ExecMainStatus -P ActiveState')).toBe('success\n0\ninactive\n')
  expect(await log()).toContain('Stopping: requests finish first')
  expect(await machine.run('ps -u teahouse -o args= || true')).toBe('')
})

test('a service whose database does not answer yet is started until it does', async () => {
  await addToUnit('Environment=DATABASE_URL=postgresql://teahouse:secret@127.0.0.1:1/teahouse')
  await machine.run('systemctl start teahouse')
  await until(async () => Number(await machine.run('systemctl show teahouse -P NRestarts')) > 1)
  expect(await log()).toContain('No PostgreSQL answers')
  await addToUnit('UnsetEnvironment=DATABASE_URL')
  await untilReady(3)
})

async function addToUnit(line: string): Promise<void> {
  await machine.run(`mkdir -p /etc/systemd/system/teahouse.service.d
    printf '[Service]\n%s\n' '${line}' > /etc/systemd/system/teahouse.service.d/$(date +%N).conf
    systemctl daemon-reload`)
}

async function get(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { host: 'tea.example.org' } })
}

/** Once the forum has said so many times that it is ready, which it does when all its processes answer. */
async function untilReady(times: number): Promise<void> {
  await until(async () => (await log()).split('Teahouse is ready').length > times)
}

function log(): Promise<string> {
  return machine.run('journalctl -u teahouse --no-pager -o cat')
}
