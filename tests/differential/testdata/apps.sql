-- Statements as applications and their frameworks write them.

-- WordPress
create table wp_posts (ID bigint unsigned not null auto_increment, post_author bigint unsigned not null default '0', post_date datetime not null default '2000-01-01 00:00:00', post_content longtext not null, post_title text not null,
  post_status varchar(20) not null default 'publish', post_name varchar(200) not null default '', post_parent bigint unsigned not null default '0', menu_order int not null default '0', post_type varchar(20) not null default 'post',
  comment_count bigint not null default '0', primary key (ID), key post_name (post_name(191)), key type_status_date (post_type, post_status, post_date, ID), key post_parent (post_parent), key post_author (post_author)) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
create table wp_postmeta (meta_id bigint unsigned not null auto_increment, post_id bigint unsigned not null default '0', meta_key varchar(255) default null, meta_value longtext, primary key (meta_id), key post_id (post_id), key meta_key (meta_key(191))) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
create table wp_terms (term_id bigint unsigned not null auto_increment, name varchar(200) not null default '', slug varchar(200) not null default '', term_group bigint not null default 0, primary key (term_id), key slug (slug(191)), key name (name(191))) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
create table wp_term_taxonomy (term_taxonomy_id bigint unsigned not null auto_increment, term_id bigint unsigned not null default 0, taxonomy varchar(32) not null default '', description longtext not null, parent bigint unsigned not null default 0, count bigint not null default 0,
  primary key (term_taxonomy_id), unique key term_id_taxonomy (term_id, taxonomy), key taxonomy (taxonomy)) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
create table wp_term_relationships (object_id bigint unsigned not null default 0, term_taxonomy_id bigint unsigned not null default 0, term_order int not null default 0, primary key (object_id, term_taxonomy_id), key term_taxonomy_id (term_taxonomy_id)) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
create table wp_options (option_id bigint unsigned not null auto_increment, option_name varchar(191) not null default '', option_value longtext not null, autoload varchar(20) not null default 'yes', primary key (option_id), unique key option_name (option_name), key autoload (autoload)) default character set utf8mb4 collate utf8mb4_unicode_520_ci;
insert into wp_posts (post_author, post_date, post_content, post_title, post_status, post_name, post_type, post_parent, comment_count) values (1, '2024-01-05 10:00:00', 'Hello <b>World</b>', 'Hello', 'publish', 'hello', 'post', 0, 3),
 (1, '2024-02-05 11:30:00', 'Second', 'Zweiter Ärger', 'publish', 'zweiter', 'post', 0, 0), (2, '2024-02-28 12:00:00', 'Draft', 'Entwurf', 'draft', '', 'post', 0, 0), (1, '2023-12-31 23:59:59', 'Page', 'About', 'publish', 'about', 'page', 0, 0),
 (2, '2024-03-01 00:00:00', 'Rev', 'Hello', 'inherit', '1-revision-v1', 'revision', 1, 0), (3, '2024-03-02 00:00:00', 'Image', 'img', 'inherit', 'img', 'attachment', 1, 0);
insert into wp_postmeta (post_id, meta_key, meta_value) values (1, '_price', '19.90'), (1, 'color', 'red'), (2, '_price', '5'), (2, 'color', 'Blue'), (4, '_price', '100'), (1, '_edit_lock', '1700000000:1'), (3, 'color', null);
insert into wp_terms (name, slug) values ('News', 'news'), ('Über', 'ueber'), ('tag one', 'tag-one');
insert into wp_term_taxonomy (term_id, taxonomy, description, parent, count) values (1, 'category', '', 0, 2), (2, 'category', '', 1, 1), (3, 'post_tag', '', 0, 1);
insert into wp_term_relationships (object_id, term_taxonomy_id) values (1, 1), (2, 1), (2, 2), (1, 3), (3, 2);
insert into wp_options (option_name, option_value, autoload) values ('siteurl', 'http://x', 'yes') on duplicate key update option_name = values(option_name), option_value = values(option_value), autoload = values(autoload);
insert into wp_options (option_name, option_value, autoload) values ('siteurl', 'http://y', 'yes') on duplicate key update option_name = values(option_name), option_value = values(option_value), autoload = values(autoload);
insert ignore into wp_options (option_name, option_value, autoload) values ('_transient_a', '1', 'no'), ('_transient_timeout_a', '1000', 'no'), ('_transient_b', '2', 'no'), ('_transient_timeout_b', '99999999999', 'no'), ('SITEURL', 'dup', 'no');
select option_name, option_value from wp_options where autoload in ('yes', 'on', 'auto-on', 'auto') order by option_id;
-- differs: a deprecation warning
delete a, b from wp_options a, wp_options b where a.option_name like '\_transient\_%' and a.option_name not like '\_transient\_timeout\_%' and b.option_name = concat('_transient_timeout_', substring(a.option_name, 12)) and b.option_value < 1700000000;
select option_name from wp_options order by option_name;
select sql_calc_found_rows wp_posts.ID from wp_posts where 1=1 and ((wp_posts.post_type = 'post' and (wp_posts.post_status = 'publish' or wp_posts.post_status = 'draft'))) order by wp_posts.post_date desc limit 0, 1;
-- text
select found_rows();
select wp_posts.* from wp_posts left join wp_term_relationships on (wp_posts.ID = wp_term_relationships.object_id) where 1=1 and (wp_term_relationships.term_taxonomy_id in (1,2)) and wp_posts.post_type = 'post' and (wp_posts.post_status = 'publish') group by wp_posts.ID order by wp_posts.post_date desc limit 0, 10;
select distinct t.term_id, tr.object_id, t.name from wp_terms as t inner join wp_term_taxonomy as tt on t.term_id = tt.term_id inner join wp_term_relationships as tr on tr.term_taxonomy_id = tt.term_taxonomy_id where tt.taxonomy in ('category', 'post_tag') and tr.object_id in (1, 2) order by t.name asc, tr.object_id;
select post_id, meta_key, meta_value from wp_postmeta where post_id in (1,2) order by meta_id asc;
select wp_posts.ID, wp_posts.post_title from wp_posts inner join wp_postmeta on (wp_posts.ID = wp_postmeta.post_id) inner join wp_postmeta as mt1 on (wp_posts.ID = mt1.post_id) where 1=1 and (wp_postmeta.meta_key = '_price' and (mt1.meta_key = 'color' and mt1.meta_value = 'blue')) group by wp_posts.ID order by wp_postmeta.meta_value+0 desc;
-- differs: another type or flag of the column, the same value
select p.ID, cast(m.meta_value as decimal(10,2)) as price, cast(m.meta_value as signed) n, cast(m.meta_value as unsigned) u from wp_posts p join wp_postmeta m on m.post_id = p.ID and m.meta_key = '_price' where cast(m.meta_value as decimal(10,2)) between 5 and 50 order by cast(m.meta_value as decimal(10,2)) asc, p.ID;
select p.ID, max(case when m.meta_key = '_price' then m.meta_value end) price, max(case when m.meta_key = 'color' then m.meta_value end) color from wp_posts p left join wp_postmeta m on p.ID = m.post_id group by p.ID order by p.ID;
select year(post_date) as `year`, month(post_date) as `month`, count(ID) as posts from wp_posts where post_type = 'post' and post_status = 'publish' group by year(post_date), month(post_date) order by post_date desc;
select distinct year(post_date) as year, month(post_date) as month from wp_posts where post_type = 'post' order by post_date desc;
select post_status, count(*) as num_posts from wp_posts where post_type = 'post' group by post_status order by post_status;
select ID from wp_posts where post_title like '%arger%' or post_content like '%WORLD%' order by (case when post_title like '%arger%' then 1 when post_content like '%WORLD%' then 2 else 3 end), post_date desc;
select wp_posts.ID from wp_posts left join wp_postmeta on (wp_posts.ID = wp_postmeta.post_id and wp_postmeta.meta_key = '_price') where wp_postmeta.post_id is null order by wp_posts.ID;
update wp_term_taxonomy tt set count = (select count(*) from wp_term_relationships tr join wp_posts p on p.ID = tr.object_id where tr.term_taxonomy_id = tt.term_taxonomy_id and p.post_status = 'publish');
select term_taxonomy_id, count from wp_term_taxonomy order by 1;
select p1.ID, p2.ID from wp_posts p1 inner join wp_posts p2 on p1.post_title = p2.post_title and p1.ID < p2.ID;
delete pm from wp_postmeta pm left join wp_posts wp on wp.ID = pm.post_id where wp.ID is null;
select ID, post_title from wp_posts order by post_title, ID;
select min(ID) lo, max(ID) hi, group_concat(distinct post_status order by post_status separator '|') s from wp_posts group by post_type order by post_type;
show full columns from wp_options;

-- Django
create table auth_user (id integer auto_increment not null primary key, password varchar(128) not null, last_login datetime(6) null, is_superuser bool not null, username varchar(150) not null unique, email varchar(254) not null, date_joined datetime(6) not null);
create table auth_group (id integer auto_increment not null primary key, name varchar(150) not null unique);
create table auth_user_groups (id bigint auto_increment not null primary key, user_id integer not null, group_id integer not null);
alter table auth_user_groups add constraint auth_user_groups_user_id_group_id_94350c0c_uniq unique (user_id, group_id);
alter table auth_user_groups add constraint auth_user_groups_user_id_6a12ed8b_fk_auth_user_id foreign key (user_id) references auth_user (id);
alter table auth_user_groups add constraint auth_user_groups_group_id_97559544_fk_auth_group_id foreign key (group_id) references auth_group (id);
insert into auth_user (password, last_login, is_superuser, username, email, date_joined) values ('p', null, 0, 'anna', 'a@x.de', '2024-01-01 00:00:00'), ('p', '2024-02-01 10:00:00.123456', 1, 'Bert', 'B@x.de', '2024-01-31 23:59:59.999999'), ('p', '2024-02-02 10:00:00', 0, 'cleo', '', '2023-06-15 12:00:00.5');
insert into auth_group (name) values ('staff'), ('editors');
insert into auth_user_groups (user_id, group_id) values (1, 1), (1, 2), (2, 1);
select (1) as `a` from `auth_user` where `auth_user`.`username` = 'anna' limit 1;
select `auth_user`.`id`, `auth_user`.`username` from `auth_user` where `auth_user`.`username` like binary 'bert' order by 1;
select `auth_user`.`id`, `auth_user`.`username` from `auth_user` where `auth_user`.`username` like 'BERT';
select `auth_user`.`id` from `auth_user` where (`auth_user`.`last_login` >= '2024-02-01 00:00:00' and not (`auth_user`.`email` = '' and `auth_user`.`email` is not null));
select count(*) as `__count` from `auth_user` where not (exists(select 1 as `a` from `auth_user_groups` U1 where (U1.`group_id` = 2 and U1.`user_id` = (`auth_user`.`id`)) limit 1));
select `auth_user`.`username`, count(`auth_user_groups`.`group_id`) as `n` from `auth_user` left outer join `auth_user_groups` on (`auth_user`.`id` = `auth_user_groups`.`user_id`) group by `auth_user`.`username` having count(`auth_user_groups`.`group_id`) > 0 order by `n` desc;
select `auth_user`.`id`, `auth_user`.`username`, count(`auth_user_groups`.`group_id`) as `n` from `auth_user` left outer join `auth_user_groups` on (`auth_user`.`id` = `auth_user_groups`.`user_id`) group by `auth_user`.`id` order by null;
select cast(date_format(`auth_user`.`date_joined`, '%Y-%m-01 00:00:00') as datetime) as `m`, count(`auth_user`.`id`) as `c` from `auth_user` group by cast(date_format(`auth_user`.`date_joined`, '%Y-%m-01 00:00:00') as datetime) order by `m` asc;
select distinct cast(date_format(convert_tz(`auth_user`.`date_joined`, '+00:00', '+02:00'), '%Y-%m-01') as date) as `datefield` from `auth_user` where `auth_user`.`date_joined` is not null order by `datefield` asc;
select extract(year from `auth_user`.`date_joined`) y, (interval 3 day + `auth_user`.`date_joined`) d3, timestampdiff(microsecond, `auth_user`.`date_joined`, `auth_user`.`last_login`) td from auth_user order by id;
select `auth_user`.`id` from `auth_user` where `auth_user`.`date_joined` between '2024-01-01 00:00:00' and '2024-12-31 23:59:59.999999' order by id;
select `auth_user`.`id`, case when `auth_user`.`is_superuser` then 'admin' when `auth_user`.`last_login` is null then 'new' else 'user' end as `kind`, coalesce(nullif(`auth_user`.`email`, ''), 'none') as mail, concat(coalesce(`username`, ''), concat(coalesce(' <', ''), coalesce(`email`, ''))) from `auth_user` order by `kind` asc, id;
select `auth_user`.`id` from `auth_user` where regexp_like(`auth_user`.`username`, '^[ab]', 'c') order by id;
insert ignore into `auth_user_groups` (`user_id`, `group_id`) values (1, 1), (3, 2);
insert into `auth_group` (`id`, `name`) values (1, 'Staff!') as new on duplicate key update `name` = new.`name`;
delete from `auth_user_groups` where `auth_user_groups`.`user_id` in (select `id` from (select `auth_user`.`id` from `auth_user` where `username` = 'cleo') subquery);
delete from `auth_user` where `id` = 1;
update `auth_user` set `email` = case when (`auth_user`.`id` = 1) then 'n1@x' when (`auth_user`.`id` = 2) then 'n2@x' else null end where `auth_user`.`id` in (1, 2);
select id, email, is_superuser, not is_superuser, is_superuser is true, is_superuser = false from auth_user order by id;

-- Rails, Laravel
create table orders (id bigint not null auto_increment primary key, user_id int not null, state varchar(255) default 'pending' not null, total decimal(8,2) not null default 0.0, items json, created_at datetime(6) not null, updated_at datetime(6) not null, deleted_at timestamp null, key index_orders_on_user_id (user_id));
insert into orders (user_id, state, total, items, created_at, updated_at) values (1, 'paid', 10.5, '[{"sku": "A", "qty": 2}, {"sku": "B", "qty": 1}]', '2024-05-01 10:00:00.5', '2024-05-01 10:00:00.5'), (1, 'pending', 99.99, '[]', '2024-05-02', '2024-05-02'), (2, 'paid', 5, null, '2024-05-02 08:00:00', '2024-05-02 08:00:00'), (3, 'refunded', 7.77, '{"sku": "C"}', '2024-06-01', '2024-06-01');
select 1 as one from `orders` where `orders`.`user_id` = 1 limit 1;
select `orders`.* from `orders` where `orders`.`deleted_at` is null order by `orders`.`id` asc limit 1;
select count(distinct `orders`.`user_id`) from `orders` left outer join auth_user on auth_user.id = orders.user_id where auth_user.username is not null;
select sum(`orders`.`total`) as sum_total, `orders`.`state` as orders_state from `orders` group by `orders`.`state` order by orders_state;
select average.* from (select avg(total) as t, user_id from orders group by user_id) average where average.t > 6 order by user_id;
select * from `orders` where (`state` = 'paid' and `total` > '6') or (`user_id` in ('1', '2') and json_length(`items`) = 0) order by `id` asc;
select count(*) as aggregate from `orders` where json_contains(`items`, '{"sku": "A"}');
select id from `orders` where json_unquote(json_extract(`items`, '$[0]."sku"')) = 'A';
select id, items->'$[0].sku' a, items->>'$[1].sku' b, items->>'$.sku' c from orders order by id;
select exists(select * from `orders` where `state` = 'paid') as `exists`;
-- differs: another type or flag of the column, the same value
select `auth_user`.*, (select count(*) from `orders` where `auth_user`.`id` = `orders`.`user_id` and `orders`.`deleted_at` is null) as `orders_count`, (select sum(`orders`.`total`) from `orders` where `auth_user`.`id` = `orders`.`user_id`) as `orders_sum_total` from `auth_user` order by id;
update `orders` set `deleted_at` = '2024-07-01 00:00:00', `orders`.`updated_at` = '2024-07-01 00:00:00' where `user_id` = 3 and `orders`.`deleted_at` is null;
select * from `auth_user` where exists (select * from `orders` where `auth_user`.`id` = `orders`.`user_id` and `total` >= 50) and date(`date_joined`) = '2024-01-01';
select * from (select *, row_number() over (partition by `orders`.`user_id` order by `created_at` desc) as `laravel_row` from `orders`) as `laravel_table` where `laravel_row` <= 1 order by `laravel_row`, id;
insert into `orders` (`id`, `user_id`, `total`, `created_at`, `updated_at`) values (1, 1, 11, '2024-05-01', '2024-08-01'), (50, 9, 1, '2024-05-01', '2024-08-01') on duplicate key update `total` = values(`total`), `updated_at` = values(`updated_at`);
select id, total, updated_at, state from orders order by id;
update orders set items = json_set(items, '$[0].qty', 3, '$[0].note', 'x') where id = 1;
select items, json_extract(items, '$[*].qty') q from orders where id = 1;
-- differs: another type or flag of the column, the same value
select o.id, jt.* from orders o, json_table(o.items, '$[*]' columns (n for ordinality, sku varchar(10) path '$.sku', qty int path '$.qty' default '0' on empty, nope int exists path '$.note')) jt order by o.id, jt.n;
update `orders` inner join `auth_user` on `auth_user`.`id` = `orders`.`user_id` set `orders`.`state` = concat(auth_user.username, '-', orders.state), orders.total = orders.total * 1.1 where `auth_user`.`id` < 3;
select id, state, total from orders order by id;
delete `orders` from `orders` inner join auth_user on auth_user.id = orders.user_id where auth_user.username = 'bert';
select id from orders order by id;
select * from `orders` order by field(`state`, 'refunded', 'anna-paid'), `id` desc limit 2 offset 1;
(select id, 'o' as kind from orders where id < 3) union all (select id, 'u' from auth_user where id < 3) order by kind desc, id desc limit 3;
select * from orders where (user_id, state) in ((1, 'anna-paid'), (3, 'refunded')) order by id;
select * from orders where (created_at, id) > ('2024-05-02 00:00:00', 2) order by created_at, id limit 2;

-- Hibernate, GORM, Prisma
create table hibernate_sequence (next_val bigint);
insert into hibernate_sequence values (1);
select next_val as id_val from hibernate_sequence for update;
update hibernate_sequence set next_val= 2 where next_val=1;
select o1_0.id, o1_0.state, u1_0.id, u1_0.username from orders o1_0 left join auth_user u1_0 on u1_0.id=o1_0.user_id where lower(u1_0.username) like '%nn%' escape '!' or o1_0.id=(select max(o2_0.id) from orders o2_0) order by o1_0.id limit 0, 10;
select case when count(o1_0.id)>0 then 1 else 0 end, cast(count(o1_0.id) as signed), count(*)>0 from orders o1_0 where o1_0.total>cast(1 as decimal(8,2));
select `t0`.`id`, `t0`.`state` from `orders` as `t0` where (`t0`.`id` in (1,2,50) and 1=1 and (`t0`.`id`) not in (select `t1`.`id` from `orders` as `t1` where (`t1`.`total` < 5 and `t1`.`id` is not null))) order by `t0`.`id` asc;
-- params: [1, 10, 0]
select id, state from orders where user_id = ? order by id limit ? offset ?;
-- params: ["%a%", 5.5, "2024-05-01"]
select id, total from orders where state like ? and total > ? and created_at >= ? order by id;
select count(*) from (select `orders`.`id` from `orders` where 1=1 limit 2 offset 0) as `sub`;
select json_arrayagg(json_object('id', t.id, 'state', t.state)) as j from (select id, state from orders order by id limit 2) t;
select coalesce(json_arrayagg(x.j), json_array()) from (select json_object('id', id, 'u', (select json_object('name', u.username) from auth_user u where u.id = o.user_id)) j from orders o where id < 3 order by id) x;

-- Magento
create table catalog_product_entity (entity_id int unsigned not null auto_increment, sku varchar(64) default null, primary key (entity_id), key (sku));
create table catalog_product_entity_decimal (value_id int not null auto_increment primary key, attribute_id smallint unsigned not null default 0, store_id smallint unsigned not null default 0, entity_id int unsigned not null default 0, value decimal(20,6) default null, unique key u (entity_id, attribute_id, store_id));
insert into catalog_product_entity (sku) values ('24-MB01'), ('24-mb02'), ('WS');
insert into catalog_product_entity_decimal (attribute_id, store_id, entity_id, value) values (77, 0, 1, 34.000000), (77, 1, 1, 30.5), (77, 0, 2, 45), (78, 0, 2, 0.333333), (77, 0, 3, null);
-- differs: another type or flag of the column, the same value
select e.entity_id, e.sku, if(at_price.value_id > 0, at_price.value, at_price_default.value) as price from catalog_product_entity as e inner join catalog_product_entity_decimal as at_price_default on (at_price_default.entity_id = e.entity_id) and (at_price_default.attribute_id = '77') and at_price_default.store_id = 0 left join catalog_product_entity_decimal as at_price on (at_price.entity_id = e.entity_id) and (at_price.attribute_id = '77') and (at_price.store_id = 1) where (e.sku like '24%') order by price desc, entity_id;
insert into catalog_product_entity_decimal (attribute_id, store_id, entity_id, value) select 79, 0, e.entity_id, ifnull(d.value, 0) * 1.19 from catalog_product_entity e left join catalog_product_entity_decimal d on d.entity_id = e.entity_id and d.attribute_id = 77 and d.store_id = 0 on duplicate key update value = values(value);
select entity_id, value, round(value, 2), truncate(value, 1), floor(value), ceiling(value), format(value, 2), value / 3, value * value from catalog_product_entity_decimal where attribute_id = 79 order by entity_id;
select e.sku, (select min(value) from catalog_product_entity_decimal d where d.entity_id = e.entity_id) lo, least(ifnull((select max(value) from catalog_product_entity_decimal d where d.entity_id = e.entity_id), 0), 40) m from catalog_product_entity e order by e.sku;
select sku, sum(value) over (partition by e.entity_id order by store_id, attribute_id) run from catalog_product_entity e join catalog_product_entity_decimal d using (entity_id) order by sku, run;
