export default { fetch: () => new Response('soon') }
export class ModuleRoom {}
