import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { askNpm, judgeAudit } from './audit.ts'

const URL = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc'
const TODAY = '2026-11-22'

function answerWith(severity: string) {
  const advisory = { url: URL, name: 'hono', title: 'Says too much', severity, range: '<4.0.1' }
  return { vulnerabilities: { hono: { via: [advisory] }, server: { via: ['hono', advisory] } } }
}

describe('judgeAudit', () => {
  it.each(['high', 'critical'])(
    'fails for a vulnerability that is %s, and reports it once',
    { tags: 'threat-22' },
    (severity) => {
      expect(judgeAudit(answerWith(severity), [], TODAY)).toEqual({
        isPassed: false,
        lines: [`${severity}: hono <4.0.1: Says too much (${URL})`, 'Audit: failed.'],
      })
    },
  )

  it.each(['low', 'moderate'])('passes and only reports a vulnerability that is %s', (severity) => {
    const { isPassed, lines } = judgeAudit(answerWith(severity), [], TODAY)
    expect(isPassed).toBe(true)
    expect(lines[0]).toContain('Says too much')
  })

  it.each([
    [TODAY, true],
    ['2026-11-21', false],
  ])('accepts what is known for a reason until %s: %s', (until, isPassed) => {
    const accepted = [{ advisory: URL, reason: 'the part is not used', until }]
    const outcome = judgeAudit(answerWith('high'), accepted, TODAY)
    expect(outcome.isPassed).toBe(isPassed)
    expect(outcome.lines[0]).toContain('the part is not used')
  })

  it('passes where nothing is known', () => {
    expect(judgeAudit({ vulnerabilities: {} }, [], TODAY).isPassed).toBe(true)
  })
})

/** A project with one package, and a registry that answers in this way. */
async function askRegistry(answer: (request: Request) => Response) {
  const folder = mkdtempSync(join(tmpdir(), 'adapt-audit-'))
  const registry = await serveOnFreePort(answer)
  const root = { name: 'planted', version: '1.0.0', dependencies: { hono: '4.0.0' } }
  const hono = { version: '4.0.0', resolved: `${registry.origin}/hono.tgz` }
  const lock = { name: 'planted', lockfileVersion: 3, packages: { '': root, 'node_modules/hono': hono } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  try {
    return await askNpm(folder, { ...process.env, npm_config_registry: `${registry.origin}/` })
  } finally {
    await registry.close()
    rmSync(folder, { recursive: true })
  }
}

describe('askNpm', () => {
  it('reads from npm what the registry knows', async () => {
    const advisory = { id: 1, url: URL, title: 'Says too much', severity: 'high', vulnerable_versions: '<4.0.1' }
    const about = { name: 'hono', 'dist-tags': {}, versions: { '4.0.0': { name: 'hono', version: '4.0.0' } } }
    const answer = await askRegistry(({ url }) =>
      Response.json(url.endsWith('/advisories/bulk') ? { hono: [advisory] } : about),
    )
    expect(judgeAudit(answer, [], TODAY)).toMatchObject({ isPassed: false })
  }, 30_000)

  it('is skipped with a message where the registry does not audit', async () => {
    const answer = await askRegistry(() => new Response(null, { status: 405 }))
    const { isPassed, lines } = judgeAudit(answer, [], TODAY)
    expect(isPassed).toBe(true)
    expect(lines.join('\n')).toMatch(/^Audit: skipped, .*405/)
  }, 30_000)
})
