import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as ClerkInterface from './clerk-interface.ts'

type Module = typeof ClerkInterface

/** Stands for Clerk's interface: what it was asked for, and whether its files can be loaded. */
function seedInterface({ failures = 0 } = {}) {
  const made: unknown[][] = []
  const openModal = vi.fn()
  const controls = { openModal }
  const ensureMounted = vi.fn(async () => {
    if (ensureMounted.mock.calls.length <= failures) throw new Error('Loading chunk failed')
    return controls
  })
  class Planted {
    static readonly version = '1'
    readonly version = Planted.version
    readonly ensureMounted = ensureMounted
    constructor(...options: unknown[]) {
      made.push(options)
    }
  }
  vi.stubGlobal('__internal_ClerkUICtor', Planted)
  return { made, ensureMounted, openModal, controls }
}

const scripts = () => [...document.querySelectorAll('script')]
const OPTIONS = [() => 'clerk', () => null, { signInUrl: '/sign-in' }, {}]

function open({ LateInterface }: Module) {
  return Reflect.construct(LateInterface, OPTIONS) as InstanceType<Module['LateInterface']>
}

let module: Module

beforeEach(async () => {
  vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', `pk_live_${btoa('clerk.example.com$')}`)
  vi.resetModules()
  module = await import('./clerk-interface.ts')
})

afterEach(() => {
  for (const script of scripts()) script.remove()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('LateInterface', () => {
  it('asks for nothing when Clerk repeats its settings', async () => {
    const controls = await open(module).ensureMounted()
    controls.updateProps({ appearance: {} })
    expect(scripts()).toEqual([])
  })

  it("loads Clerk's interface once a part of it is wanted, and hands the part and the options on", async () => {
    const late = open(module)
    const mounted = late.ensureMounted({ preloadHint: 'SignIn' })
    expect(scripts().map(({ src }) => src)).toEqual([expect.stringMatching(/^https:\/\/clerk\.example\.com\/.*\/ui\./)])
    const planted = seedInterface()
    scripts()[0]?.dispatchEvent(new Event('load'))
    expect(await mounted).toBe(planted.controls)
    await module.loadInterface('UserButton')
    expect(planted.ensureMounted.mock.calls).toEqual([[{ preloadHint: 'SignIn' }], [{ preloadHint: 'UserButton' }]])
    expect(planted.made).toEqual([OPTIONS])
    expect(scripts()).toHaveLength(1)
  })

  it('loads it for what Clerk opens by itself', async () => {
    const controls = await open(module).ensureMounted()
    controls.openModal('blankCaptcha', {})
    const { openModal } = seedInterface()
    scripts()[0]?.dispatchEvent(new Event('load'))
    await vi.waitFor(() => expect(openModal).toHaveBeenCalledWith('blankCaptcha', {}))
  })

  it('shares the download with a page that began it', async () => {
    module.preloadInterface()
    open(module)
    const loaded = module.loadInterface('SignIn')
    seedInterface()
    expect(scripts()).toHaveLength(1)
    scripts()[0]?.dispatchEvent(new Event('load'))
    await loaded
  })
})

describe('loadInterface', () => {
  it('can be tried again after the script did not come', async () => {
    open(module)
    const failed = module.loadInterface('UserButton')
    scripts()[0]?.dispatchEvent(new Event('error'))
    await expect(failed).rejects.toThrow('could not be loaded')
    expect(scripts()).toEqual([])
    const loaded = module.loadInterface('UserButton')
    const { ensureMounted } = seedInterface()
    scripts()[0]?.dispatchEvent(new Event('load'))
    await loaded
    expect(ensureMounted).toHaveBeenCalledOnce()
  })

  it('can be tried again after the files that the script needs did not come', async () => {
    open(module)
    const failed = module.loadInterface('UserButton')
    const { made } = seedInterface({ failures: 1 })
    scripts()[0]?.dispatchEvent(new Event('load'))
    await expect(failed).rejects.toThrow('Loading chunk failed')
    await module.loadInterface('UserButton')
    expect(made).toHaveLength(2)
  })
})
