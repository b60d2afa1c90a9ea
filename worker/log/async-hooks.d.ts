/** The part of Node's module that the flag `nodejs_als` (wrangler.toml) brings; its own types would bring all of Node. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<Store> {
    getStore(): Store | undefined
    run<Result>(store: Store, work: () => Result): Result
  }
}
