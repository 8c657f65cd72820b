/** Small pages of our own that say everything about themselves in every way, to be broken by the tests. */

const article = `<!doctype html><html lang="en-GB" prefix="og: http://ogp.me/ns#"><head><meta charset="utf-8"><title>How nuthatches climb | The Bird Post</title>
<meta name="description" content="They walk down trees head first, and nobody else does."><meta name="author" content="Ann Lee"><meta name="keywords" content="birds, trees, climbing">
<meta property="og:title" content="How nuthatches climb"><meta property="og:image" content="/i/bird.jpg"><meta property="og:image:width" content="1200"><meta property="og:site_name" content="The Bird Post">
<meta property="article:published_time" content="2024-03-02T08:00:00+01:00"><meta property="article:tag" content="birds"><meta name="twitter:card" content="summary"><link rel="canonical" href="https://a.test/news/climb">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"NewsArticle","@id":"#a","headline":"How nuthatches climb","datePublished":"2024-03-02","author":[{"@type":"Person","name":"Ann Lee"},{"@id":"#p"}],"image":{"@type":"ImageObject","url":"/i/bird.jpg"},"keywords":"birds,trees"},{"@type":"Person","@id":"#p","name":"Bo Kim","url":"/by/bo"}]}</script></head>
<body><header><nav><ul><li><a href="/">Home</a><li><a href="/news">News</a></ul></nav></header><main><article><h1>How nuthatches climb</h1><p class="byline">By <a rel="author" href="/by/ann">Ann Lee</a>, <time datetime="2024-03-02">2 March 2024</time></p>
<figure><img src="/i/bird.jpg" width="600" height="400" alt="A bird"><figcaption>A bird</figcaption></figure><p>Of all the birds that live on trees, the nuthatch alone walks down a trunk as easily as up, one foot above the other.</p>
<h2>Why it works</h2><p>Its feet are large and its claws are long. Researchers at a laboratory have filmed it in a study of twelve birds.</p><ul><li>one</li><li>two</li></ul><pre><code>tree.down()</code></pre>
<table><tr><th>Bird<th>Grams<tr><td>Nuthatch<td>23</table></article><aside><h3>More</h3><a href="/tag/birds" rel="tag">birds</a></aside></main><footer>© 2024 The Bird Post</footer></body></html>`;

const product = `<html><head><title>Feeder - Shop</title><meta name=viewport content=width><base href="/shop/"></head><body><div itemscope itemtype="http://schema.org/Product" itemref="more"><h1 itemprop="name">Feeder</h1>
<img itemprop="image" src="feeder.png"><span itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><b itemprop="price" content="9.50">9,50 €</b></span>
<p itemprop="description">A feeder for small birds that hangs from a branch and keeps out squirrels.</p><div itemprop="review" itemscope itemtype="http://schema.org/Review"><span itemprop="author">Cy</span> <time itemprop="datePublished" datetime="2023-05-06">May</time></div></div>
<p id="more" itemprop="brand">Twig</p><img src="/pixel.gif?track=1" width=1 height=1><div class="cookie-consent">We use cookies <button>Accept</button></div></body></html>`;

const blog = `<html xml:lang="de"><head><title>Kleiber im Garten</title></head><body vocab="https://schema.org/"><div typeof="BlogPosting" resource="#post"><h1 property="headline">Kleiber im Garten</h1>
<p>von <span property="author" typeof="Person"><a property="url" href="/ueber"><span property="name">Eva Groß</span></a></span> am 3. Mai 2022</p><div property="articleBody"><p>Seit dem Frühling wohnt ein Kleiber in unserem Apfelbaum und klopft jeden Morgen an die Rinde.</p><p>Er verstaut Samen in allen Ritzen, und im Winter findet er sie wieder.</p></div></div>
<div class="comments"><div class="comment">Schön!</div></div><script>window.__STATE__ = {"datePublished":"2022-05-03","x":"\\u003cb>"}</script></body></html>`;

const forum = `<html><head><title>Login</title><meta http-equiv="refresh" content="5;url=/login"></head><body><table><tr><td><font size=2>Posted by dee on 01/02/2019</font><td>Re: nests<tr><td colspan=2>Hello all,<br><br>does anybody know how deep a nest box should be?<blockquote>about a foot</blockquote>Thanks.</table>
<div><a href="?page=2">2</a> <a href="?page=3">3</a></div><noscript>Please enable JavaScript to continue.</noscript><form><input type=password name=p></form></body></html>`;

const wide = `<html><head><title>巣箱の作り方</title><meta name="date" content="2021年4月5日"></head><body><div id="content"><h1>巣箱の作り方</h1><p>著者：山田　太郎</p><p>木の板を六枚用意します。鳥が入る穴は直径三センチにします。屋根は開くようにすると掃除が楽です。</p><p>المزيد من الطيور في الحديقة</p><p>🪺🐦\u200d⬛</p></div></body></html>`;

export const smallPages: readonly string[] = [article, product, blog, forum, wide];
