import { afterEach, describe, expect, it, vi } from 'vitest'
import { openShell, show } from './shell.ts'

const shell = openShell()
const node = (script: string) => [process.execPath, '-e', script]

afterEach(() => vi.restoreAllMocks())

describe('openShell', () => {
  it('answers with what a command prints, without what it says beside it', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    expect(await shell.ask(node("console.warn('a warning'); console.log('{}')"))).toBe('{}\n')
    expect(await shell.ask(node('process.exit(1)'))).toBeNull()
    const absent = node("console.error('Worker x not found'); process.exit(1)")
    expect(await shell.ask(absent, /not found/)).toBeNull()
    await expect(shell.ask(absent, /does not exist/)).rejects.toThrow('Worker x not found')
  })

  it('fails as a command fails, with the end of what it said', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const failing = node("console.log('first'); console.error('Please enable R2'); process.exit(3)")
    await expect(shell.act(failing)).rejects.toThrow('Please enable R2')
    await expect(shell.act(['no-such-program-here'])).rejects.toThrow('no-such-program-here cannot be run')
  })

  it('changes something of an API with a token that it does not show, and answers null where it is away', async () => {
    const shown = vi.spyOn(console, 'log').mockImplementation(() => {})
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ success: true }))
    expect(await shell.putJson('https://api.example.com/x', { a: 1 }, 'hush-hush')).toEqual({ success: true })
    const [url, { method, headers, body } = {}] = fetched.mock.calls[0] ?? []
    expect([url, method, body]).toEqual(['https://api.example.com/x', 'PUT', '{"a":1}'])
    expect(headers).toMatchObject({ authorization: 'Bearer hush-hush', 'content-type': 'application/json' })
    expect(JSON.stringify(shown.mock.calls)).not.toContain('hush-hush')
    fetched.mockRejectedValue(new TypeError('fetch failed'))
    expect(await shell.putJson('https://api.example.com/x', {}, '')).toBeNull()
    const dry = openShell({ isDry: true })
    fetched.mockClear()
    expect(await dry.putJson('https://api.example.com/x', {}, '')).toBeNull()
    expect(fetched).not.toHaveBeenCalled()
  })

  it('gives a secret to the command and prints it nowhere', async () => {
    const shown = vi.spyOn(console, 'log').mockImplementation(() => {})
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const counting = node("process.stdin.on('data', (data) => console.log(String(data).length))")
    expect(await shell.act(counting, { input: 'hush-hush' })).toBe('9\n')
    expect(JSON.stringify([...shown.mock.calls, ...printed.mock.calls])).not.toContain('hush-hush')
  })
})

describe('show', () => {
  it('writes a command so that it can be pasted', () => {
    expect(show(['npm', 'run', 'build'], { env: { A: '', B: 'b c' } })).toBe("$ A='' B='b c' npm run build")
    expect(show(['say', "it's"])).toBe("$ say 'it'\\''s'")
  })
})
