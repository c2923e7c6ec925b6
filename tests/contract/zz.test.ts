import { test, after } from 'node:test';
import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { MINUTE_MS, DAY_MS } from '../../src/base/clock.ts';
import { found, startFakeDatabases } from '../support/fake-databases.ts';
import { contractService } from './support/contract-service.ts';
import { agentOverHttp } from '../support/agent.ts';
const fakes = await startFakeDatabases(); after(()=>fakes.close());
const PAGES_OFF = Object.fromEntries(['W','A','E','B','H','L','T'].map((l)=>[`OPENSHELF_RETAILER_${l}_PAGES`,'off']));
const c = contractService({ hasRetailers:false,isStill:true,isAlone:true, env:{OPENSHELF_CONTACT:'me@shelf.example',OPENSHELF_ORIGINS:fakes.origins,...PAGES_OFF}});
let n=0; const newCode=(p='40063')=>{n+=1; const b=p+String(1000000+n).slice(0,12-p.length).padStart(12-p.length,'0'); return b+gs1CheckDigit(b);};
const big='x'.repeat(200000);
for (const [name, mk] of Object.entries({
 plain:(k:string)=>found(k,{product_name:'Oat'}),
 bidi:(k:string)=>found(k,{product_name:'Oat\u202e\u0000\u0007 drink\u2066', brands:'\u202eEvil,x'}),
 html:(k:string)=>found(k,{product_name:'<script>alert(1)</script><b>Oat</b>'}),
 js:(k:string)=>found(k,{product_name:'Oat',image_front_url:'javascript:alert(1)'}),
 priv:(k:string)=>found(k,{product_name:'Oat',image_front_url:'http://127.0.0.1/a.png'}),
 cred:(k:string)=>found(k,{product_name:'Oat',image_front_url:'https://u:p@images.openfoodfacts.org:8443/a.png'}),
 suffix:(k:string)=>found(k,{product_name:'Oat',image_front_url:'https://evilopenfoodfacts.org/a.png'}),
 proto:(k:string)=>found(k,{product_name:'Oat',__proto__x:1,categories_tags:['en:__proto__','en:constructor'],product_type:'constructor'}),
 big:(k:string)=>found(k,{product_name:big,brands:big,quantity:big,categories_tags:Array(100000).fill('en:a')}),
 nan:(k:string)=>found(k,{product_name:'Oat',product_quantity:1e300,product_quantity_unit:'g'}),
 neg:(k:string)=>found(k,{product_name:'Oat',quantity:'-5 x -3 g'}),
 pack:(k:string)=>found(k,{product_name:'Oat',quantity:'999999999 x 1 g'}),
 other:(k:string)=>found('4006381333931',{product_name:'Other'}),
 codenum:(k:string)=>({body:{status:1,product:{code:Number(k),product_name:'Num'}}}),
 statusstr:(k:string)=>({body:{status:'0',product:null}}),
 html200:()=>({type:'text/html',body:'<h1>x</h1>'}),
 s204:()=>({status:204,body:''}), s206:(k:string)=>({...found(k,{product_name:'Part'}),status:206}),
 arr:()=>({body:[]}), nul:()=>({body:'null'}), deep:()=>({body:'['.repeat(50000)}),
 huge:()=>({body:'{"status":1,"x":"'+'y'.repeat(30_000_000)+'"}'}),
 price:(k:string)=>found(k,{product_name:'Oat',price:3,offers:{price:1}}),
 s0:(k:string)=>({body:{status:0}}), 
 redirPriv:()=>({status:302,location:'http://127.0.0.1:1/'}), redirSub:(k:string)=>({status:302,location:`https://evil.openbeautyfacts.org/x`}), redirPort:(k:string)=>({status:302,location:`https://world.openbeautyfacts.org:9999/x`}), redirJs:()=>({status:302,location:'javascript:1'}),
})) test(name, async()=>{
  c.clock.advance(MINUTE_MS+1); const k=newCode(); const from=fakes.asked.length;
  fakes.answer=(h,code)=>(mk as any)(k);
  const t=performance.now(); const r=await c.lookup(k) as any; const b=r.body??{};
  console.log(name, r.status, Math.round(performance.now()-t)+'ms', JSON.stringify([b.title?.slice(0,60), b.title?.length, b.brand?.slice(0,30), b.image_url, b.categories?.length ?? b.category, b.pack_count??b.pack_quantity, b.current_price, b.code, b.detail?.slice(-120)]), fakes.asked.slice(from).map(a=>a.host).join());
});
for (const [name, body] of Object.entries({
 book:{title:'B\u202eook',authors:[{name:'<b>A</b>'}],url:'javascript:1',cover:{large:'https://covers.openlibrary.org.evil.example/x'},number_of_pages:-4},
 arr:[], proto:{title:'__proto__',publish_date:{}}, num:{title:123}, subt:{title:'a',subtitle:'\u0000'},
})) test('book '+name, async()=>{
  c.clock.advance(MINUTE_MS+1); const k=newCode('978014');
  fakes.answer=()=>({body:{[`ISBN:${k}`]:body}});
  const r=await c.lookup(k) as any; const b=r.body;
  console.log('book',name,r.status,JSON.stringify([b.title,b.brand,b.image_url,b.specs??b.specifications,b._meta?.identity_from,b.detail?.slice(-100)]));
});
test('clock back', async()=>{
  fakes.answer=(h,k)=>null; const k=newCode();
  c.clock.advance(400*DAY_MS); await c.lookup(k); const from=fakes.asked.length;
  c.clock.advance(-400*DAY_MS); const r=await c.lookup(k) as any; console.log('back',r.status,fakes.asked.length-from,r.body.detail?.slice(-160));
  c.clock.advance(31*DAY_MS); const r2=await c.lookup(k) as any; console.log('back+31d',r2.status,fakes.asked.length-from,r2.body.detail?.slice(-160));
  const k2=newCode(); const f=fakes.asked.length; const r3=await c.lookup(k2) as any; console.log('other code', r3.status, fakes.asked.length-f, r3.body.detail?.slice(-100));
});
